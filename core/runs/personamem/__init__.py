"""Reader of PersonaMem run outputs."""
