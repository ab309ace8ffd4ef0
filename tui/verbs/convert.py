"""``mnemoscope convert``: a release or runs in our own format."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from mnemoscope.core.conversion import Conversion, convert_release, convert_runs
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Release
from mnemoscope.core.opening import read_runs
from mnemoscope.core.releases.native.reader import MediaMode
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.repair import repair_run
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.paths import open_either
from mnemoscope.tui.verbs.tables import Json, counted, line

__all__ = ["collect", "command", "lines"]


@click.command("convert")
@click.argument("path", type=PATH)
@click.option("--out", metavar="DIR", type=PATH, required=True, help="A new folder to write into.")
@click.option(
    "--release",
    "answered",
    metavar="RELEASE",
    type=PATH,
    help="What the runs answer: their records get the keys of its questions.",
)
@click.option(
    "--media",
    type=click.Choice([mode.value for mode in MediaMode]),
    help="What becomes of media files: copied (the default), linked on the disk, or left out.",
)
@reading("format", "run_format", "media_root", "repair")
@json_flag
def command(
    path: Path,
    out: Path,
    answered: Path | None,
    media: str | None,
    flags: Flags,
    as_json: bool,
) -> None:
    """Write a release or runs in the native format, and say what does not go into it.

    PATH is a release, a run, or a folder of runs; several runs become a folder each. What was
    written is read again and compared with the source. Nothing is overwritten.
    """
    found = collect(path, out, flags, answered=answered, media=media)
    for one in found["not_kept"]:
        count = f" ({one['n']:,})" if one["n"] is not None else ""
        console.talk(f"not kept: {one['what']}{count}")
    for one in found["differences"]:
        console.talk(
            f"differs: {one['what']} ({one['n']:,}), such as {one['example']}: "
            f"{one['source']} in the source, {one['native']} in the native files"
        )
    if as_json:
        console.print_json(found)
    else:
        console.print_lines(lines(found))


def collect(
    path: Path, out: Path, flags: Flags, *, answered: Path | None = None, media: str | None = None
) -> Json:
    """Convert, and say as JSON what was written.

    Raises:
        MnemoscopeError: The source cannot be read, or the folder not be written.
    """
    if answered is not None:
        return _joined(path, out, flags, answered, media)
    if flags.repair:
        said = "an id is only repaired where the release has the repaired one"
        raise UsageError(f"--repair needs --release: {said}")
    opened = open_either(path, flags)
    console.progress(f"writing {out.name}")
    if isinstance(opened, Release):
        return _info(convert_release(opened, out, media=MediaMode(media or MediaMode.COPY)))
    _refuse_media(path, media)
    return _info(convert_runs(opened.runs, out), opened.skipped)


def _joined(path: Path, out: Path, flags: Flags, answered: Path, media: str | None) -> Json:
    """Convert runs with the release that they answer."""
    _refuse_media(path, media)
    formats = flags.formats
    opened = read_runs(path, format=formats.run, map=formats.run_map, progress=console.progress)
    release = open_release(
        answered, format=formats.release, media_roots=flags.media_root, map=formats.release_map
    )
    runs = [repair_run(release, run, flags.repair) for run in opened.runs]
    console.progress(f"writing {out.name}")
    return _info(convert_runs(runs, out, release=release), opened.skipped)


def _refuse_media(path: Path, media: str | None) -> None:
    if media is not None:
        raise UsageError(f"{path}: is run output, which has no media files for --media")


def _info(done: Conversion, skipped: tuple[str, ...] = ()) -> Json:
    return {
        "kind": done.kind,
        "name": done.name,
        "format": done.format,
        "out": str(done.out),
        "folders": list(done.folders),
        "counts": dict(done.counts),
        "equal": not done.differences,
        "differences": [asdict(one) for one in done.differences],
        "not_kept": [asdict(one) for one in done.not_kept],
        "skipped": list(skipped),
    }


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    yield from line(f"{data['kind']}  {data['name']}".rstrip() + f"  ({data['format']})")
    yield from line(f"written to {data['out']}: {counted(data['counts'])}")
    if data["kind"] == "runs":
        yield from (piece for name in data["folders"] for piece in line(name, indent=2))
    if data["equal"]:
        yield "read again, it equals the source"
    else:
        differing = sum(one["n"] for one in data["differences"])
        yield f"read again, {differing:,} things differ from the source"
