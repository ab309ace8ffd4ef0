"""Reader of MemLens run outputs."""
