"""Memory systems: what they are handed, how they are built, frozen, kept and asked."""
