"""The reader of LoCoMo releases, nested and flat."""
