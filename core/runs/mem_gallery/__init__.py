"""Reader of Mem-Gallery run outputs."""
