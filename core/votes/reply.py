"""Reading a vote from what a model said: strictly, for a guess would be our vote and not its."""

from dataclasses import dataclass

from mnemoscope.core.reply_objects import reply_object
from mnemoscope.core.tags.taxonomy import Labels, Taxonomy
from mnemoscope.core.votes.prompt import votable

__all__ = ["Unusable", "Vote", "read_vote"]

_LONGEST_REASON = 2_000
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Vote:
    """What a model says of an answer."""

    slugs: tuple[str, ...]
    """Its tags; empty when none fits."""
    reason: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reply that is no vote."""

    why: str


def read_vote(text: str, taxonomy: Taxonomy) -> Vote | Unusable:
    """The vote in a reply: one JSON object of the form asked for, in a code fence or not.

    Anything else is unusable: words around it, unknown keys, a tag that was not offered, two tags
    where one is asked for.
    """
    try:
        data = reply_object(text)
    except ValueError as error:
        return Unusable(str(error))
    single = taxonomy.labels is Labels.ONE
    key = "tag" if single else "tags"
    extra = data.keys() - {key, "reason"}
    if key not in data or extra:
        said = ", ".join(map(_short, sorted(data))) or "no keys"
        return Unusable(f"found {said}, expected {key} and reason")
    reason = data.get("reason", "")
    if not isinstance(reason, str):
        return Unusable("the reason is no text")
    slugs = _slugs(data[key], single)
    if isinstance(slugs, Unusable):
        return slugs
    offered = {tag.slug for tag in votable(taxonomy)}
    unknown = next((slug for slug in slugs if slug not in offered), None)
    if unknown is not None:
        return Unusable(f"{_short(unknown)} is none of the labels")
    return Vote(slugs, reason[:_LONGEST_REASON])


def _slugs(said: object, single: bool) -> tuple[str, ...] | Unusable:
    if single:
        if not isinstance(said, str):
            return Unusable("the tag is no text")
        return () if said == "none" else (said,)
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        return Unusable("the tags are no list of texts")
    return tuple(dict.fromkeys(said))


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
