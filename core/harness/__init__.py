"""The generation harness: scenarios as declared packs, and the artifacts of their users."""
