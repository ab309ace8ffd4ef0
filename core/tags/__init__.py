"""Tags: what people, judges and rules say about records, questions and sessions."""
