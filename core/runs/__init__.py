"""Readers of run outputs, one module per form; joining runs to releases."""
