"""Answers one request of ``decoder.ask``, given as JSON on the command line."""

import json
import os
import sys
from dataclasses import asdict

from mnemoscope.core.audio.clip import Problem
from mnemoscope.core.audio.decoder import answer


def main() -> None:
    """Answer in one line of JSON on stdout."""
    # A library that prints must not print into the answer.
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    result = answer(*json.loads(sys.argv[1]))
    said = {"problem": asdict(result)} if isinstance(result, Problem) else asdict(result)
    out.write(json.dumps(said))
    out.close()


if __name__ == "__main__":
    main()
