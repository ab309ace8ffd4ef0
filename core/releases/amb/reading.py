"""Reading a release in AMB's form; what a query means is the benchmark's own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import (
    Clue,
    ClueProblem,
    ClueTarget,
    History,
    Question,
    Release,
    RoundKind,
    Session,
    TaskLabel,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.amb.documents import Users, read_documents, session_name
from mnemoscope.core.releases.amb.files import AmbFiles
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source

__all__ = ["AmbBenchmark", "Query", "gold_sessions", "read_amb"]

_GOLD_IDS = "gold_ids"


@dataclass(frozen=True, slots=True)
class Query:
    """A query with what every benchmark's has."""

    node: Node
    meta: Node
    key: str
    id: str
    index: int
    """Its place among the queries about its history."""
    text: str
    history: History
    documents: bool
    """Whether the release comes with documents that could be read."""


@dataclass(frozen=True, slots=True)
class AmbBenchmark:
    """What is a benchmark's own in the form."""

    name: str
    """The format's name."""
    title: str
    licence: str
    tasks: Sequence[TaskLabel]
    read_query: Callable[[Query], Question]
    name_history: Callable[[Sequence[Session], Mapping[str, Any]], str]
    """Who a history is about, from its sessions and the ``meta`` of its first query; may be empty.
    """


def read_amb(
    source: Source, files: AmbFiles, benchmark: AmbBenchmark, options: ReadOptions
) -> Release:
    """Read the release.

    Raises:
        InputError: No query can be used.
    """
    with collector_paused():
        reading = _Reading(files, benchmark)
        reading.look_ahead()
        reading.read_documents()
        reading.read_queries()
    if not reading.questions:
        raise InputError(f"{source.path}: no {benchmark.title} query that can be used")
    return Release(
        name=f"{benchmark.title} {files.split}".strip(),
        format=benchmark.name,
        root=source.root,
        files=tuple(reading.names),
        round_kind=RoundKind.UTTERANCE,
        histories=reading.histories,
        questions=reading.questions,
        tasks=tuple(benchmark.tasks),
        media_roots=(source.root, *options.media_roots),
        defects=tuple(reading.defects),
        licence=benchmark.licence,
    )


def gold_sessions(query: Query) -> Iterator[Clue]:
    """The documents that ``gold_ids`` names, as clues to their sessions."""
    node, history = query.node, query.history
    known = history.session_by_id if history.sessions else {}
    for at, written in enumerate(node.texts(_GOLD_IDS)):
        if not written:
            continue
        place = node.at_item(_GOLD_IDS, at)
        session_id = session_name(written, history.id)
        if session_id != written and session_id in known:
            yield Clue(written, ClueTarget.SESSION, session_id, "", session_id, place=place)
            continue
        problem = ClueProblem.UNKNOWN_ID if known else ClueProblem.HISTORY_ABSENT
        yield Clue(written, ClueTarget.SESSION, session_id, problem=problem, place=place)
        if query.documents:
            expected = "the id of a document of this user"
            node.log.warning(f"clue_{problem}", place, written, expected)


@dataclass(slots=True)
class _Reading:
    """What the files have given so far."""

    files: AmbFiles
    benchmark: AmbBenchmark
    users: Users = field(default_factory=Users)
    documents: bool = False
    """Whether there are documents, and could be read."""
    names: list[str] = field(default_factory=list)
    histories: dict[str, History] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """How many queries there are about each history so far."""
    first_meta: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The ``meta`` of each user's first query."""
    defects: list[Defect] = field(default_factory=list)

    def look_ahead(self) -> None:
        """Gather what the queries say of their users.

        Raises:
            InputError: The file cannot be read, or is no list.
        """
        file = self.files.queries
        if type(file.data) is not list:
            raise ReadError(file.path, "$", describe(file.data), "a list of queries")
        for item in file.data:
            if type(item) is dict and type(item.get("meta")) is dict:
                user_id = item.get("user_id")
                if type(user_id) is str:
                    self.first_meta.setdefault(user_id, item["meta"])

    def read_documents(self) -> None:
        """Read the documents, where there are any, and make a history for each of their users."""
        file = self.files.documents
        if file is None:
            log = DefectLog(self.files.queries.name)
            expected = "the documents that they are asked about in a file beside them"
            log.warning("documents_missing", "$", Described("queries alone"), expected)
        else:
            log = DefectLog(file.name)
            try:
                self.users = read_documents(file.data, log)
                self.names.append(file.name)
                self.documents = True
            except InputError as error:
                log.unreadable(error, file.path)
            file.release()
        self.defects += log.items
        for user_id in self.users.sessions:
            self._history(user_id)

    def _history(self, user_id: str) -> History:
        history = self.histories.get(user_id)
        if history is None:
            sessions = self.users.sessions.get(user_id, [])
            meta = self.first_meta.get(user_id, {})
            name = self.benchmark.name_history(sessions, meta) or user_id
            file = self.names[0] if sessions else self.files.queries.name
            place = sessions[0].place if sessions else "$"
            history = History(user_id, name, tuple(sessions), file, place)
            self.histories[user_id] = history
        return history

    def read_queries(self) -> None:
        """Read every query."""
        file = self.files.queries
        log = DefectLog(file.name)
        self.names.append(file.name)
        for at, item in enumerate(file.data):
            if type(item) is dict:
                self._read_query(Node(item, f"$[{at}]", log))
            else:
                log.error("wrong_type", f"$[{at}]", item, "an object")
        self.defects += log.items
        file.release()

    def _read_query(self, node: Node) -> None:
        user_id = node.required_text("user_id")
        text = node.required_text("query")
        if user_id is None or text is None:
            return
        history = self._history(user_id)
        index = self.asked.get(user_id, 0)
        self.asked[user_id] = index + 1
        key = f"{user_id}/{index}"
        query_id = node.data.get("id")
        if type(query_id) is not str or not query_id:
            found = node.found("id")
            query_id = str(index)
            node.log.repaired("missing_id", node.at("id"), found, "the query's id", query_id)
        # What an absent one does not hold need not be reported once more.
        meta = node.inner("meta") or Node({}, node.at("meta"), DefectLog())
        query = Query(node, meta, key, query_id, index, text, history, self.documents)
        self.questions[key] = self.benchmark.read_query(query)
