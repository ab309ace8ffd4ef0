"""``mnemoscope captions``: a model describes the pictures or clips of a release."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.core.model import Kind
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import (
    PATH,
    Flags,
    at_once_flag,
    endpoint_flag,
    json_flag,
    reading,
    timeout_flag,
)
from mnemoscope.tui.verbs.tables import Json, line

if TYPE_CHECKING:
    from mnemoscope.core.backbones.settings import EndpointSettings
    from mnemoscope.core.captions.making import Captioned
    from mnemoscope.core.captions.media import MediaFile
    from mnemoscope.core.captions.schema import CaptionsHead
    from mnemoscope.core.model import Release

__all__ = ["command"]

_TOLD = 10
"""How many failures are named one by one."""


@click.command("captions")
@click.argument("release", type=PATH)
@click.option("--model", metavar="NAME", required=True, help="The model's name at the endpoint.")
@click.option(
    "--of",
    "kind",
    type=click.Choice([kind.value for kind in Kind]),
    default=Kind.IMAGE.value,
    show_default=True,
    help="What is described.",
)
@click.option(
    "--granularity",
    type=click.Choice(("brief", "medium", "detailed")),
    default="medium",
    show_default=True,
    help="How much a caption tells.",
)
@click.option(
    "--out", metavar="FILE", type=PATH, required=True, help="A file of captions, new or begun."
)
@click.option("--name", metavar="NAME", default="", help="What the variant is called.")
@click.option(
    "--language", metavar="NAME", default="", help="In English, such as Chinese; the release's own."
)
@endpoint_flag
@click.option("--dry-run", is_flag=True, help="Say what would be asked.")
@at_once_flag
@timeout_flag
@reading("format", "media_root")
@json_flag
def command(
    release: Path,
    model: str,
    kind: str,
    granularity: str,
    out: Path,
    name: str,
    language: str,
    url: str,
    dry_run: bool,
    at_once: int,
    timeout: float,
    flags: Flags,
    as_json: bool,
) -> ExitCode:
    """Have a model describe a release's pictures or clips, into a file of its own.

    Every file is asked about once. Nothing is written into the release: open, show, tokens and run
    take the file with --captions, as a variant beside the release's own. The same command goes on
    where it was stopped. The media files are sent to the endpoint, and nothing else of the release.
    """
    from mnemoscope.core.captions.making import captions_head
    from mnemoscope.core.captions.media import distinct, text_language

    opened = flags.open(release).release
    head = captions_head(
        opened,
        Kind(kind),
        granularity,
        model,
        language or text_language(opened),
        name or f"{model.rpartition('/')[2]}-{granularity}",
    )
    files = distinct(
        opened, head.medium, lambda done: console.progress(f"{done:,} {kind} files hashed")
    )
    data = _planned(opened, head, files, out)
    if dry_run:
        _show(data, as_json)
        return ExitCode.OK
    count = _Count()
    try:
        asyncio.run(_make(opened, head, files, out, url, timeout, at_once, count))
    except BaseException:
        if count.made:
            console.talk(
                f"note: {count.made} captions are kept; the same command goes on from there"
            )
        raise
    _show(data | {"made": count.made, "failures": count.failures}, as_json)
    return ExitCode.UNMEASURED if count.failures else ExitCode.OK


def _planned(release: "Release", head: "CaptionsHead", files: "list[MediaFile]", out: Path) -> Json:
    """What would be asked."""
    from mnemoscope.core.captions.book import read_captions

    known = read_captions(out).captions if out.exists() and out.stat().st_size else {}
    before = sum(one.sha256 in known for one in files)
    return {
        "release": release.name,
        "out": str(out),
        "name": head.name,
        "of": head.medium.value,
        "granularity": head.granularity,
        "language": head.language,
        "model": head.model,
        "prompt": f"{head.prompt} {head.prompt_sha256[:12]}",
        "files": len(files),
        "captioned_before": before,
        "calls": len(files) - before,
    }


@dataclass
class _Count:
    """What came of asking."""

    made: int = 0
    failures: list[Json] = field(default_factory=list)

    def take(self, one: "Captioned") -> None:
        from mnemoscope.core.backbones.replies import Reply

        if isinstance(one.said, Reply):
            self.made += 1
            return
        self.failures.append({"file": one.file.file, "message": str(one.said)})
        if len(self.failures) <= _TOLD:
            console.talk(f"note: {Path(one.file.file).name}: {one.said}")


async def _make(
    release: "Release",
    head: "CaptionsHead",
    files: "list[MediaFile]",
    out: Path,
    url: str,
    timeout: float,
    at_once: int,
    count: _Count,
) -> None:
    from mnemoscope.core.backbones.endpoint import Endpoint
    from mnemoscope.core.captions.book import CaptionWriter
    from mnemoscope.core.captions.making import make_captions
    from mnemoscope.tui.endpoint import chosen_endpoint

    settings: EndpointSettings = chosen_endpoint(url, timeout)
    with CaptionWriter(out, head) as writer:
        left = sum(one.sha256 not in writer.known for one in files)
        async with Endpoint(settings) as endpoint:
            asked = make_captions(endpoint, head, files, release.media_roots, writer, at_once)
            async with aclosing(asked) as captions:
                done = 0
                async for one in captions:
                    count.take(one)
                    done += 1
                    console.progress(f"{done:,} of {left:,} asked")


def _show(data: Json, as_json: bool) -> None:
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(_lines(data))


def _lines(data: Json) -> Iterator[str]:
    shown = ("release", "out", "name", "of", "granularity", "language", "model", "prompt")
    for key in shown:
        yield from line(f"{key:<18}{data[key]}")
    yield ""
    for key in ("files", "captioned_before", "calls", "made"):
        if key in data:
            yield from line(f"{key.replace('_', ' '):<18}{data[key]:,}")
    if "made" not in data:
        yield from line("nothing was asked")
    elif data["failures"]:
        yield from line(
            f"{len(data['failures'])} without a caption; the same command asks for them again"
        )
    else:
        yield from line(f"use it with --captions {data['out']}")
