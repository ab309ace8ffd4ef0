"""The reader of PersonaMem releases in AMB's form."""
