"""Captions that models make of a release's pictures and clips, kept apart from the release."""
