"""The embedded backbone: an option scorer and a slot filler, in place of a model."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mnemoscope.core.backbones.backbone import (
    Answered,
    Ask,
    Backbone,
    BackboneSpec,
    Load,
)
from mnemoscope.core.backbones.embedded.options import BACKED, SUBJECT, choose
from mnemoscope.core.backbones.embedded.passages import Passages
from mnemoscope.core.backbones.embedded.slots import fill
from mnemoscope.core.backbones.names import EMBEDDED
from mnemoscope.core.memory.systems.always_refuse import REFUSAL
from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.model import NO_CAPTION, Reached, RecordStatus

__all__ = ["FLOOR", "EmbeddedBackbone"]

_VERSION = 1
"""Raised whenever the same question may get another answer than before."""
FLOOR = "floor baseline: an option scorer and a slot filler, not a model"
_REFUSAL_ZH = "不知道：历史中没有提到。"


class EmbeddedBackbone(Backbone):
    """Answers by the words that question, options and context share; reads captions, not media."""

    @property
    def spec(self) -> BackboneSpec:
        """Its version and constants; there is nothing to set."""
        parameters = {"version": _VERSION, "backed": BACKED, "subject": SUBJECT}
        return BackboneSpec(EMBEDDED, False, parameters, note=FLOOR)

    async def answer(self, ask: Ask) -> Answered:
        """Answer a question; the same question and context always get the same answer."""
        passages = Passages.of(ask.recall)
        grounds: dict[str, Any]
        if ask.query.options:
            choice = choose(ask.query, passages)
            text, grounds = choice.label, choice.as_json()
        else:
            latest_first = ask.recall.whole_history
            filled = fill(ask.query.stem, passages, latest_first=latest_first)
            text, grounds = filled.text, filled.as_json()
        return Answered(
            RecordStatus.OK,
            text or _refusal(ask.query.stem),
            finish="stop",
            reached=Reached(fallbacks=Counter(map(_read, _media(ask)))),
            model=EMBEDDED,
            grounds={"note": FLOOR, **grounds},
        )

    def load(self, ask: Ask) -> Load:
        """Nothing: no model is asked."""
        return Load(0, 0, 0)


def _media(ask: Ask) -> Iterator[MediumView]:
    yield from (one for one in ask.recall.context if not isinstance(one, str))
    yield from ask.query.media
    yield from (one.picture for one in ask.query.options if one.picture is not None)


def _read(one: MediumView) -> str:
    return f"{one.kind}: {'caption read' if one.caption else NO_CAPTION}"


def _refusal(stem: str) -> str:
    chinese = any("\u4e00" <= sign <= "\u9fff" for sign in stem)
    return _REFUSAL_ZH if chinese else REFUSAL
