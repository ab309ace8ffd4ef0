"""Questions: mined from a scenario, answered from its truth, read again from what is visible."""
