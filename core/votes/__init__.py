"""Model votes: judge models that say which tags of a taxonomy an answer carries."""
