"""Reading table-shaped files by a map that names their columns."""
