"""A person answers the questions of a release: what is shown, what is kept, what is handed in."""
