"""The reader of PrefEval releases."""
