"""The reader of Mem-Gallery releases and of MemEye, which has the same form."""
