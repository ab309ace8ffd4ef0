"""Flags that verbs share, and opening what they name.

What reads data is imported when it is used, so that the help of a verb comes at once.
"""

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mnemoscope.core.choices import REPAIR_NAMES, RULE_NAMES
from mnemoscope.core.errors import UsageError
from mnemoscope.core.mapping.choice import Formats, chosen_formats
from mnemoscope.tui import console

if TYPE_CHECKING:
    from mnemoscope.core.defects import Defect
    from mnemoscope.core.model import Release, Textualisation
    from mnemoscope.core.opening import OpenRequest
    from mnemoscope.core.workspace import Workspace

__all__ = [
    *("PATH", "Flags", "Verb", "at_once_flag", "chosen_keys", "chosen_textualisation"),
    *("endpoint_flag", "json_flag", "reading", "timeout_flag"),
]

# Any: click hands a verb whatever its parameters are.
Verb = TypeVar("Verb", bound=Callable[..., Any])


class _GivenPath(click.Path):
    """A path that need not be there: what reads it says what is wrong with it."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        if not os.fspath(value):
            # To Path that is the current folder; to a shell it is a variable that nobody set.
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


PATH = _GivenPath(path_type=Path, readable=False)


_RULE = "rule"
_TOLD = 5
"""How many things that could not be read are named one by one."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What the shared flags say."""

    format: str | None = None
    run_format: str | None = None
    media_root: tuple[Path, ...] = ()
    rule: str | None = None
    filter: str = ""
    textualisation: str = ""
    overlay: tuple[Path, ...] = ()
    captions: tuple[Path, ...] = ()
    map: tuple[Path, ...] = ()
    tags: Path | None = None
    taxonomy: tuple[Path, ...] = ()
    answers: Path | None = None
    repair: tuple[str, ...] = ()
    verdicts: str = _RULE
    judged: Path | None = None

    @property
    def formats(self) -> Formats:
        """How the release and the runs are to be read.

        Raises:
            MnemoscopeError: A map cannot be used.
        """
        return chosen_formats(self.format, self.run_format, self.map)

    def request(self, release: Path, runs: Sequence[Path] = ()) -> "OpenRequest":
        """The request to open a release with runs as the flags say."""
        from mnemoscope.core.opening import OpenRequest

        formats = self.formats
        return OpenRequest(
            release,
            tuple(runs),
            formats.release,
            formats.run,
            self.media_root,
            self.rule,
            self.overlay,
            self.repair,
            formats.release_map,
            formats.run_map,
            self.judged,
            self.captions,
        )

    def with_tags(self, workspace: "Workspace") -> "Workspace":
        """The workspace with everybody's tags, saying what of them could not be read.

        Raises:
            MnemoscopeError: A named taxonomy cannot be read.
        """
        from mnemoscope.core.tags.reading import with_tags
        from mnemoscope.tui.config import taxonomy_folder

        tagged = with_tags(
            workspace, folder=self.tags, own=taxonomy_folder(), taxonomies=self.taxonomy
        )
        assert tagged.tags is not None
        for defect in (*tagged.tags.catalogue.defects, *tagged.tags.tags.defects):
            console.talk(defect.line())
        elsewhere = tagged.tags.tags.elsewhere
        if elsewhere:
            console.talk(f"note: {elsewhere} tagging events of another version of this release")
        return tagged

    def open(self, release: Path, runs: Sequence[Path] = ()) -> "Workspace":
        """Open a release with runs, saying what was left aside.

        Raises:
            MnemoscopeError: Something cannot be read.
        """
        from mnemoscope.core.opening import open_workspace

        workspace = open_workspace(self.request(release, runs), console.progress)
        _tell(workspace.unreadable)
        if workspace.skipped:
            names = ", ".join(workspace.skipped[:3])
            more = f" and {len(workspace.skipped) - 3} more" if len(workspace.skipped) > 3 else ""
            console.talk(f"note: not run output, skipped: {names}{more}")
        if workspace.overlay is not None:
            _tell(workspace.overlay.defects)
        for note in _odd_runs(workspace):
            console.talk(f"note: {note}")
        return workspace if self.verdicts == _RULE else self._by_others(workspace)

    def _by_others(self, workspace: "Workspace") -> "Workspace":
        """The workspace in which people or judges decide, saying how often they do."""
        from mnemoscope.core.judges.deciding import PERSON, decided
        from mnemoscope.tui.deciding import deciding_note

        if self.verdicts == PERSON:
            workspace = self.with_tags(workspace)
        found = decided(workspace, self.verdicts)
        for run in found.runs:
            console.talk(f"note: {deciding_note(run)}")
        return found


def _tell(defects: "Sequence[Defect]") -> None:
    for defect in defects[:_TOLD]:
        console.talk(defect.line())
    if len(defects) > _TOLD:
        console.talk(f"note: {len(defects) - _TOLD} more such; mnemoscope validate lists all")


def _odd_runs(workspace: "Workspace") -> Iterator[str]:
    """What is likely a slip: runs of another release, and the same run twice."""
    opened: dict[tuple[frozenset[Path], str], str] = {}
    for run in workspace.runs:
        rows = len(run.run.records)
        if rows and not run.join.matched:
            yield f"no row of {run.label} joins to this release: all {rows} are about another"
        # Some files hold the runs of several systems.
        files = frozenset(run.run.root / file for file in run.run.files)
        first = opened.setdefault((files, run.run.system), run.label)
        if first != run.label:
            yield f"{run.label} is the same run as {first}"


_OPTIONS = {
    "format": click.option(
        "--format", metavar="NAME", help="The release's format, when its content does not tell."
    ),
    "run_format": click.option(
        "--run-format", metavar="NAME", help="The only form of run output to read."
    ),
    "media_root": click.option(
        "--media-root",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        multiple=True,
        help="A folder outside the release that media may be read from; may be repeated.",
    ),
    "rule": click.option(
        "--rule",
        type=click.Choice(RULE_NAMES),
        help="What decides right and wrong in every run, instead of each run's own rule.",
    ),
    "verdicts": click.option(
        "--verdicts",
        metavar="NAME",
        default=_RULE,
        show_default=True,
        help="Who says what is right: rule, person (wherever people judged an answer), a judge by "
        "name, judge+verifier, or panel.",
    ),
    "judged": click.option(
        "--judged",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="The folder that holds verdicts of judges; the user's data folder, and beside native "
        "runs, otherwise.",
    ),
    "repair": click.option(
        "--repair",
        type=click.Choice(REPAIR_NAMES),
        multiple=True,
        help="Repair retrieved ids of runs, and say where; validate says what there is to repair.",
    ),
    "filter": click.option(
        "--filter",
        metavar="EXPR",
        default="",
        help="Only these questions, such as 'task:entity_recall sys:A.wrong'.",
    ),
    "map": click.option(
        "--map",
        metavar="FILE",
        type=PATH,
        multiple=True,
        help="What the columns of table-shaped files mean: a map of runs, of a release, or both.",
    ),
    "overlay": click.option(
        "--overlay",
        metavar="FILE",
        type=PATH,
        multiple=True,
        help="Corrections to lay over the release; may be repeated, later ones over earlier.",
    ),
    "captions": click.option(
        "--captions",
        metavar="FILE",
        type=PATH,
        multiple=True,
        help="Captions that a model made (the verb captions): variants beside the release's own; "
        "may be repeated.",
    ),
    "tags": click.option(
        "--tags",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="The folder that holds the tags; the user's data folder, and beside native runs, "
        "otherwise.",
    ),
    "answers": click.option(
        "--answers",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="The folder that holds the answers of people; the user's data folder otherwise.",
    ),
    "taxonomy": click.option(
        "--taxonomy",
        metavar="FILE",
        type=PATH,
        multiple=True,
        help="A taxonomy of your own, as TOML; may be repeated.",
    ),
    "textualisation": click.option(
        "--textualisation",
        metavar="image=NAME,audio=NAME",
        default="",
        help="The captions that stand for images and audio; the release's usual ones otherwise.",
    ),
}


_TAG_FLAGS = ("tags", "taxonomy")


def reading(*names: str) -> Callable[[Verb], Verb]:
    """Add shared flags to a verb, which gets them together as ``flags``.

    Args:
        names: Fields of ``Flags``, in the order of the help page.
    """
    known = {field.name for field in fields(Flags)}
    if "format" in names:
        # Whatever reads files of a format can read them by a map.
        at = max(names.index(one) for one in ("format", "run_format") if one in names) + 1
        names = (*names[:at], "map", *names[at:])
    if "verdicts" in names:
        names += ("judged",)
    if "filter" in names:
        names += tuple(name for name in _TAG_FLAGS if name not in names)

    def decorate(verb: Verb) -> Verb:
        @functools.wraps(verb)
        def with_flags(**given: Any) -> Any:
            flags = Flags(**{name: given.pop(name) for name in known & given.keys()})
            return verb(flags=flags, **given)

        decorated: Any = with_flags
        for name in reversed(names):
            decorated = _OPTIONS[name](decorated)
        return _debug(decorated)  # type: ignore[no-any-return]

    return decorate


def _debug(verb: Any) -> Any:
    def show(_: click.Context, __: click.Parameter, wanted: bool) -> None:
        if wanted:
            console.show_tracebacks(True)

    option = click.option(
        "--debug", is_flag=True, expose_value=False, hidden=True, is_eager=True, callback=show
    )
    return option(verb)


json_flag = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

# What verbs that ask models take.
endpoint_flag = click.option(
    "--endpoint", "url", metavar="URL", default="", help="An OpenAI-compatible base URL."
)
at_once_flag = click.option(
    "--at-once", type=click.IntRange(1, 256), default=16, show_default=True, help="Calls at a time."
)
timeout_flag = click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=120.0,
    show_default=True,
    help="Seconds for one attempt; there are five.",
)


def chosen_keys(flags: Flags, workspace: "Workspace") -> list[str] | None:
    """The questions that ``--filter`` selects; None when there is no filter.

    Raises:
        UsageError: The filter is none, or names what is not there.
    """
    if not flags.filter.strip():
        return None
    from mnemoscope.core.filters import parse

    chosen = parse(flags.filter)
    keys = chosen.select(flags.with_tags(workspace) if chosen.about_tags else workspace)
    if not keys:
        console.talk(
            f"note: the filter selects none of {len(workspace.release.questions)} questions"
        )
    return keys


def chosen_textualisation(flags: Flags, release: "Release") -> "Textualisation":
    """The caption variants to show: what the flag says over what the release treats as usual.

    Raises:
        UsageError: The release has no such captions.
    """
    from mnemoscope.core.model import Kind, Textualisation

    chosen = Textualisation.parse(flags.textualisation, release.textualisation)
    for kind in Kind:
        known = ("none", *release.variants(kind))
        usual = release.textualisation.of(kind)
        if chosen.of(kind) not in (*known, usual):
            raise UsageError(
                f"no {kind} captions named {chosen.of(kind)!r}; there are: {', '.join(known)}"
            )
    return chosen
