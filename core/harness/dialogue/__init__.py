"""Dialogue: what is said of a scenario, how it is worded, and the check that nothing leaks."""
