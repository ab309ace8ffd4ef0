"""Readers of benchmark releases, one module per format."""
