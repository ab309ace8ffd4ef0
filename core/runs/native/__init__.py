"""The reader, writer and store of our own run format."""
