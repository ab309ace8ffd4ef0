"""Suggesting why an answer is wrong, by rules that say what they saw and what they cannot see."""
