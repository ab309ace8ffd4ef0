"""How pictures reach the terminal: which protocol is used, and what is written for each."""
