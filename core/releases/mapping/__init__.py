"""Questions in any table-shaped file as a release, by a map."""
