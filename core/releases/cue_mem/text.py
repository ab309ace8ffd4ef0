"""The text of a CUE-Mem question: a stem, option lines, and a closing line."""

import re

__all__ = ["CLOSING_LINE", "REFUSAL_OPTION", "split_question"]

CLOSING_LINE = "请在 A/B/C/D 中选择最符合的选项。"
"""What every question ends with."""
REFUSAL_OPTION = "历史中没有说明"
"""The option of an Answer Refusal question that declines."""

_option = re.compile(r"\s*([A-D])\s*[.．、:：]").match


def split_question(text: str) -> tuple[str, dict[str, str]]:
    """Split a question into its stem and its options' texts by label.

    Options are lines such as ``A. …``; lines without a label continue the option above them. A
    run output may leave letters out. A question whose options are pictures has none.
    """
    body = text.rstrip().removesuffix(CLOSING_LINE)
    lines = body.split("\n")
    starts = []
    last = ""
    ascending = True
    for place, line in enumerate(lines):
        found = _option(line)
        if found is not None:
            label = found[1]
            starts.append((place, label, found.end()))
            ascending = ascending and label > last
            last = label
    if not starts:
        return body.strip(), {}
    if not ascending:
        starts = _longest_ascending(starts)
    options = {}
    end = len(lines)
    for place, label, offset in reversed(starts):
        options[label] = "\n".join(lines[place:end])[offset:].strip()
        end = place
    return "\n".join(lines[:end]).strip(), dict(reversed(options.items()))


def _longest_ascending(starts: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """The longest run of option lines whose labels ascend, the last of equally long ones.

    A stem or a caption may have a line that only looks like an option.
    """
    best: list[tuple[int, str, int]] = []
    run: list[tuple[int, str, int]] = []
    for start in starts:
        if run and run[-1][1] >= start[1]:
            run = []
        run.append(start)
        if len(run) >= len(best):
            best = run
    return best
