"""Reader of PrefEval outputs."""
