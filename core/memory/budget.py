"""Cutting a context to a budget, in a unit that is named."""

from mnemoscope.core.memory.items import Cut
from mnemoscope.core.memory.system import Parameter, Setting
from mnemoscope.core.tokens import first_tokens, last_tokens

__all__ = ["budget_parameters", "cut_text"]

TOKENS = "tokens"
SPACE_WORDS = "space_words"
FIRST = "first"
LAST = "last"


def budget_parameters(budget: int, keep: str) -> dict[str, Parameter]:
    """The parameters of a budget.

    Args:
        budget: How many units are sent unless said otherwise; 0 is no limit.
        keep: Which end of a longer context is kept.
    """
    units = (TOKENS, SPACE_WORDS)
    return {
        "budget": Parameter(budget, "How much of the context is sent; 0 is all of it.", least=0),
        "unit": Parameter(
            TOKENS,
            "What the budget counts: cl100k_base tokens, or what stands between single spaces.",
            units,
        ),
        "keep": Parameter(keep, "Which end of a longer context is kept.", (FIRST, LAST)),
    }


def cut_text(text: str, budget: Setting, unit: Setting, keep: Setting) -> tuple[int, int, Cut]:
    """Where the part of a text begins and ends that a budget allows, and what that did.

    ``space_words`` are what ``text.split(" ")`` gives, as published numbers count: Chinese has
    hardly any spaces, so such a budget hardly ever cuts it.
    """
    limit = int(budget)
    take_first = keep == FIRST
    if unit == SPACE_WORDS:
        pieces = text.split(" ")
        total = len(pieces)
        chosen = pieces if not limit else pieces[:limit] if take_first else pieces[-limit:]
        kept = " ".join(chosen)
    else:
        take = first_tokens if take_first else last_tokens
        whole, total = take(text, limit)
        kept = whole if limit and total > limit else text
    start = 0 if take_first else len(text) - len(kept)
    within = min(total, limit) if limit else total
    return start, start + len(kept), Cut(str(unit), limit, total, within)
