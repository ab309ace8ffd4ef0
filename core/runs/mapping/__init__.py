"""Run output in any table-shaped file, by a map."""
