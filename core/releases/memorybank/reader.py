"""The reader of MemoryBank: users by language, with the questions that probe their memory."""

from dataclasses import dataclass, field

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import (
    EvaluatorData,
    Gold,
    History,
    Question,
    Release,
    RoundKind,
    TaskLabel,
)
from mnemoscope.core.reading import Node, json_lines
from mnemoscope.core.releases.memorybank.files import Pair, find_pairs
from mnemoscope.core.releases.memorybank.users import UserNotes, read_history
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["MemoryBankReader"]

_EXPECTED = "MemoryBank users, each with a name and a history by day"
_TASKS = {
    "en": TaskLabel("probing_en", "Probing, English", expected=100),
    "cn": TaskLabel("probing_cn", "Probing, Chinese", expected=100),
}
_TASK = TaskLabel("probing", "Probing")


class MemoryBankReader:
    """Reads MemoryBank (other-releases.md 2.10): one language, or a folder with both."""

    name = "memorybank"

    def recognises(self, source: Source) -> bool:
        """Whether the path is a file of users or of questions about some, or a folder of them."""
        return any(True for _ in find_pairs(source))

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read every language.

        Raises:
            InputError: There is no user in it.
        """
        pairs = list(find_pairs(source))
        if not pairs and not source.is_folder:
            (file,) = source.files
            found = "a file of lines" if file.is_lines else describe(file.data)
            raise ReadError(file.path, "$", found, _EXPECTED)
        reading = _Reading()
        reading.defects += unreadable_folders(source) if source.is_folder else ()
        with collector_paused():
            for pair in pairs:
                reading.read_pair(pair)
        if not reading.histories:
            raise InputError(f"{source.path}: no MemoryBank user in it")
        return Release(
            name=source.path.name if source.is_folder else pairs[0].bank.stem,
            format=self.name,
            root=source.root,
            files=tuple(reading.files),
            round_kind=RoundKind.EXCHANGE,
            histories=reading.histories,
            questions=reading.questions,
            tasks=tuple(reading.tasks.values()),
            media_roots=(source.root, *options.media_roots),
            evaluator=EvaluatorData(reading.notes.histories, reading.notes.sessions),
            defects=tuple(reading.defects),
            licence="MIT",
        )


@dataclass(slots=True)
class _Reading:
    """What all files together have given so far."""

    files: list[str] = field(default_factory=list)
    histories: dict[str, History] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    notes: UserNotes = field(default_factory=UserNotes)
    tasks: dict[str, TaskLabel] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """How many questions there are about each history so far."""
    defects: list[Defect] = field(default_factory=list)

    def read_pair(self, pair: Pair) -> None:
        """Read the users of a language, and the questions about them."""
        label = _TASKS.get(pair.language, _TASK)
        self.tasks[label.task] = label
        log = DefectLog(pair.bank.name)
        ids = self._read_users(pair.bank, log)
        if pair.probes is None:
            expected = "a file probing_questions beside it, its name ending as this one's"
            log.warning("questions_missing", "$", Described("users alone"), expected)
        self.defects += log.items
        if pair.probes is not None:
            self._read_probes(pair.probes, ids, label.task)

    def _read_users(self, file: SourceFile, log: DefectLog) -> dict[str, str]:
        """Read the users; the id of each by the name that questions use."""
        self.files.append(file.name)
        root = Node.root(file.data, log, file=file.path)
        ids: dict[str, str] = {}
        for key in root.data:
            name = key.strip() or "user"
            user = root.inner(key)
            if user is None:
                continue
            history_id = self._unique(name)
            if history_id != name:
                log.error("duplicate_id", user.place, key, "a name of its own")
            elif name != key:
                log.repaired("padded_name", user.place, key, "a name without blanks", name)
            ids.setdefault(name, history_id)
            self.histories[history_id] = read_history(user, history_id, self.notes)
        file.release()
        return ids

    def _unique(self, name: str) -> str:
        made = name
        number = 2
        while made in self.histories:
            made = f"{name}#{number}"
            number += 1
        return made

    def _read_probes(self, file: SourceFile, ids: dict[str, str], task: str) -> None:
        log = DefectLog(file.name)
        self.files.append(file.name)
        try:
            for place, value in json_lines(file.path, log):
                if type(value) is not dict:
                    log.error("wrong_type", place, value, "an object of questions by user")
                    continue
                node = Node(value, place, log)
                for key in value:
                    self._read_questions(node, key, ids, task)
        except InputError as error:
            log.unreadable(error, file.path)
        self.defects += log.items

    def _read_questions(self, node: Node, key: str, ids: dict[str, str], task: str) -> None:
        history_id = ids.get(key.strip())
        if history_id is None:
            node.log.error("unknown_user", node.at(key), key, "a user of the file beside it")
            return
        for at, text in enumerate(node.texts(key)):
            place = node.at_item(key, at)
            index = self.asked.get(history_id, 0)
            self.asked[history_id] = index + 1
            if not text.strip():
                written = node.data[key]
                if type(written[at] if type(written) is list else written) is str:
                    node.log.error("wrong_type", place, text, "non-empty text")
                continue
            question_key = f"{history_id}/{index}"
            self.questions[question_key] = Question(
                key=question_key,
                id=str(index),
                history_id=history_id,
                index=index,
                task=task,
                setting="",
                text=text,
                stem=text,
                gold=Gold.none(),
                clues=(),
                place=place,
                file=node.log.file,
            )
