"""Judges of stored answers: rules and models, what they say, and who of them decides."""
