"""Asking a model for captions, and writing each down as it comes."""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mnemoscope
from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.media_parts import UnsendableError, part_of
from mnemoscope.core.backbones.replies import Failure, FailureKind, Reply
from mnemoscope.core.backbones.request import Message, Parameters
from mnemoscope.core.captions.book import KIND, SCHEMA_VERSION, CaptionWriter
from mnemoscope.core.captions.media import MediaFile
from mnemoscope.core.captions.prompt import CaptionPrompt
from mnemoscope.core.captions.schema import CaptionsHead
from mnemoscope.core.errors import ProviderError, UsageError
from mnemoscope.core.model import Kind, Release

__all__ = ["PARAMETERS", "Captioned", "captions_head", "make_captions"]

PARAMETERS = Parameters(0.0, 512, 42)
"""How captions are asked for."""


@dataclass(frozen=True, slots=True)
class Captioned:
    """What came of one file."""

    file: MediaFile
    said: Reply | Failure | str
    """The reply, or why there is none; text where the file cannot be sent."""


def captions_head(
    release: Release, kind: Kind, granularity: str, model: str, language: str, name: str
) -> CaptionsHead:
    """The head of a file of captions.

    Raises:
        UsageError: The release has captions of that name already.
    """
    taken = ("none", *release.variants(kind))
    if name in taken:
        raise UsageError(f"{release.name} has {kind} captions named {name!r}; give another --name")
    prompt = CaptionPrompt.of(kind, granularity, language)
    return CaptionsHead.model_validate(
        {
            "kind": KIND,
            "schema_version": SCHEMA_VERSION,
            "name": name,
            "medium": kind,
            "granularity": granularity,
            "language": language,
            "model": model,
            "parameters": _parameters(),
            "prompt": prompt.name,
            "prompt_sha256": prompt.sha256,
            "release": release.name,
            "tool_version": mnemoscope.__version__,
        }
    )


def _parameters() -> dict[str, Any]:
    return {
        "temperature": PARAMETERS.temperature,
        "max_tokens": PARAMETERS.max_tokens,
        "seed": PARAMETERS.seed,
    }


async def make_captions(
    endpoint: Endpoint,
    head: CaptionsHead,
    files: Sequence[MediaFile],
    roots: Iterable[Path],
    writer: CaptionWriter,
    at_once: int,
) -> AsyncGenerator[Captioned, None]:
    """Ask for the captions that are not there yet; each is on the disk when it is given back.

    Args:
        endpoint: Who is asked.
        head: What is asked for.
        files: What is to be described.
        roots: The folders that files must be below.
        writer: Where captions go.
        at_once: How many questions may be on their way.

    Raises:
        ProviderError: Asking on would not help: nobody is there, or the model takes no such media.
        InputError: A caption could not be written.
    """
    folders = tuple(roots)
    prompt = CaptionPrompt.of(head.medium, head.granularity, head.language)
    left = (one for one in files if one.sha256 not in writer.known)

    async def ask(file: MediaFile) -> Reply | Failure | str:
        try:
            part, _ = part_of(head.medium, file.file, folders)
        except UnsendableError as reason:
            return str(reason)
        return await endpoint.complete(head.model, _messages(prompt, part), PARAMETERS)

    async with aclosing(as_finished(left, ask, at_once)) as finished:
        async for file, said in finished:
            if isinstance(said, Failure):
                if said.kind is FailureKind.NO_MEDIA:
                    raise ProviderError(f"{head.model} takes no {head.medium}: {said.message}")
                if said.kind.is_final:
                    raise ProviderError(f"{head.model}: {said}")
            elif isinstance(said, Reply):
                writer.add(file.sha256, file.size, said.text.strip())
            yield Captioned(file, said)


def _messages(prompt: CaptionPrompt, part: Mapping[str, Any]) -> Sequence[Message]:
    return (
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": [{"type": "text", "text": prompt.user}, part]},
    )
