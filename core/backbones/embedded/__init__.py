"""A backbone that needs no model: a floor baseline, the same on every machine."""
