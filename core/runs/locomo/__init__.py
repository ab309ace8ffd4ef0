"""Readers of the forms of LoCoMo run output."""
