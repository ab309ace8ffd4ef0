"""The verbs of the command, one module each: collect a JSON object, print it."""
