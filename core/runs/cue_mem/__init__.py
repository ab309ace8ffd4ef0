"""Readers of the forms of CUE-Mem run output."""
