"""The reader of MemLens releases."""
