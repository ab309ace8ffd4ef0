"""The reader of CUE-Mem releases, in both dialects."""
