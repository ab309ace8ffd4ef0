"""Truth files: the state trajectory that a history was generated from, for the evaluator alone."""
