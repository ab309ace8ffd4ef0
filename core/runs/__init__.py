"""Readers of run outputs, a folder per benchmark; joining runs to releases."""
