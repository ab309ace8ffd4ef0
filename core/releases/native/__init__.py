"""The reader and writer of our own release format."""
