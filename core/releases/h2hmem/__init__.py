"""The reader of H2HMem releases: people talking to each other, in a tree of folders."""
