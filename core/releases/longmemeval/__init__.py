"""The reader of LongMemEval releases, native and AMB form, and what MemLens shares with it."""
