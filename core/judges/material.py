"""What a judge model is told of an answer: the question, what is right, and the answer.

It is not told which system answered, what it brought back or what others say of it.
"""

from collections.abc import Iterator

from mnemoscope.core.model import GoldKind, Question, Textualisation

__all__ = ["gold_words", "material"]

_ANSWER = 6_000
"""The longest answer in characters; what is cut is said."""


def material(question: Question, answer: str, shown: Textualisation) -> str:
    """Question, right answer and the answer to judge, as one text.

    Args:
        question: The question.
        answer: The answer.
        shown: The captions that stand for pictures among the options.
    """
    parts = (_question(question, shown), _gold(question, shown), _answer(answer))
    return "\n\n".join("\n".join(part) for part in parts)


def gold_words(question: Question, shown: Textualisation) -> list[str]:
    """The right answers in words; none where the release states none."""
    gold = question.gold
    match gold.kind:
        case GoldKind.OPTION:
            option = question.option(gold.option)
            text = option.describe(shown.image) if option is not None else ""
            return [f"{gold.option}. {text}".removesuffix(". ")]
        case GoldKind.TEXTS:
            return list(gold.texts)
        case GoldKind.VALUE:
            return [*gold.texts, *_typed_words(gold.value)] or [str(gold.value)]
    return []


def _typed_words(value: object) -> Iterator[str]:
    # Only typed gold needs pydantic.
    from mnemoscope.core.scoring.typed_gold import RefusalGold, in_words, read_typed_gold

    typed = read_typed_gold(value)
    if isinstance(typed, RefusalGold):
        yield typed.premise
        if typed.actual is not None:
            yield f"What is the case: {in_words(typed.actual)}"
    elif typed is not None:
        yield in_words(typed)


def _question(question: Question, shown: Textualisation) -> Iterator[str]:
    asked = f" (asked {question.asked_at:%Y-%m-%d})" if question.asked_at else ""
    yield f"# Question{asked}"
    yield question.stem
    for option in question.options:
        yield f"{option.label}. {option.describe(shown.image)}"


def _gold(question: Question, shown: Textualisation) -> Iterator[str]:
    words = list(dict.fromkeys(gold_words(question, shown)))
    yield "# Right answer" if len(words) < 2 else "# Right answers"
    yield from words
    if not question.answerable:
        yield "The history does not hold what is asked for: declining is right."


def _answer(answer: str) -> Iterator[str]:
    yield "# Answer to judge"
    left = len(answer) - _ANSWER
    cut = f"{answer[:_ANSWER]}… ({left} more characters)" if left > 0 else answer
    yield cut
