"""Readers of the agent memory benchmark's run output."""
