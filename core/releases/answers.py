"""Gold answers that are texts, as several benchmarks write them: a text, a number, or a list."""

from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import Gold, GoldKind

__all__ = ["text_gold"]


def text_gold(answer: Any, place: str, log: DefectLog) -> Gold:
    """The gold that a JSON value states; none, with a defect recorded, where it states nothing.

    Args:
        answer: The value; `Described` where the key is absent.
        place: Its JSON path.
        log: Takes what is wrong with it. A number is read as its text (repaired).
    """
    many = type(answer) is list
    texts = []
    for at, one in enumerate(answer if many else [answer]):
        where = f"{place}[{at}]" if many else place
        if type(one) is str and one.strip():
            texts.append(one)
        elif type(one) is int or type(one) is float:
            texts.append(_number_text(one, where, log))
        elif one is None or isinstance(one, str):
            log.warning("gold_missing", where, one, "an answer")
        else:
            log.error("wrong_type", where, one, "text")
    if many and not answer:
        log.warning("gold_missing", place, answer, "an answer")
    return Gold(GoldKind.TEXTS, texts=tuple(filter(None, texts))) if any(texts) else Gold.none()


def _number_text(number: float, place: str, log: DefectLog) -> str:
    try:
        text = str(number)
    except ValueError:  # more digits than Python writes out
        log.error("wrong_type", place, Described("a number of thousands of digits"), "text")
        return ""
    log.repaired("number_for_text", place, number, "text", text)
    return text
