"""An example of what a package can add to mnemoscope: a memory system and a taxonomy."""
