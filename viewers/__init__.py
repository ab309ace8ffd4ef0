"""Widgets and renderables that each show one kind of thing, given plain values."""
