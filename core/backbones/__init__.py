"""Models that answer and judge, behind an OpenAI-compatible endpoint."""
