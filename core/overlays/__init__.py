"""Overlays: somebody's corrections of a release's questions, kept apart from the release."""
