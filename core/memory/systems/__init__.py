"""The memory systems that come with mnemoscope, a module each."""
