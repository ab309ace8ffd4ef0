"""The reader of MemoryAgentBench releases: one long text with the questions about it."""
