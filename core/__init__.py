"""Everything headless: model, readers, checks, scores, stores."""
