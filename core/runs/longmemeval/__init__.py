"""Readers of LongMemEval run outputs."""
