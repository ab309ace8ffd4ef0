"""What the releases in AMB's form (documents and queries) have in common."""
