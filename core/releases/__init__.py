"""Readers of benchmark releases, a folder per benchmark."""
