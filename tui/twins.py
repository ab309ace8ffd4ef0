"""Commands that show without a screen what a screen shows."""

import shlex
from collections.abc import Sequence

from mnemoscope.core.opening import OpenRequest

__all__ = ["twin_command"]


_SHOW_CAPTIONS = ("open", "show", "tokens")


def twin_command(
    verb: str, request: OpenRequest | None, arguments: Sequence[str] = (), *, runs: bool = True
) -> str:
    """A command line of a verb on what is open.

    Args:
        verb: The verb, with the name of its command where it has several.
        request: What is open.
        arguments: What stands between the release and the runs, and options.
        runs: Whether the runs are named.
    """
    words = ["mnemoscope", *verb.split()]
    if request is not None:
        words.append(str(request.release))
    words += [word for word in arguments if not word.startswith("-")]
    if request is not None and runs:
        words += [str(run) for run in request.runs]
    if request is not None:
        words += [f"--media-root={root}" for root in request.media_roots]
        words += [f"--overlay={path}" for path in request.overlays]
        if verb in _SHOW_CAPTIONS:
            words += [f"--captions={path}" for path in request.captions]
        maps = filter(None, (request.release_map, request.run_map))
        words += [f"--map={path}" for path in maps]
        words += [f"--format={request.format}"] if request.format else []
        words += [f"--run-format={request.run_format}"] if request.run_format else []
        words += [f"--rule={request.rule}"] if request.rule and runs else []
        words += [f"--repair={name}" for name in request.repairs if runs]
    judged = any(word.startswith("--verdicts=") for word in arguments)
    if request is not None and request.judged is not None and judged:
        words.append(f"--judged={request.judged}")
    words += [word for word in arguments if word.startswith("-")]
    return shlex.join(words)
