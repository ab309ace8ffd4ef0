"""Embedders: texts to vectors, by models on this machine."""
