"""Drawing exhibits: dense sheets with one look, and where their texts stand."""
