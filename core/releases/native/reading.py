"""From the files of a release in our own format to the model, with every check on the way."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mnemoscope.core.defects import DefectLog, Described, Severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import require_file
from mnemoscope.core.media_files import MediaFiles
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Clue,
    ClueProblem,
    EvaluatorData,
    Gold,
    GoldKind,
    History,
    Message,
    Option,
    Question,
    Release,
    Round,
    Session,
    TaskLabel,
    Textualisation,
)
from mnemoscope.core.reading import json_lines, read_json
from mnemoscope.core.releases.native.reader import QUESTIONS
from mnemoscope.core.releases.native.schema import (
    AttachmentForm,
    ClueForm,
    EvaluatorFile,
    HistoryFile,
    QuestionLine,
    ReleaseFile,
)
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.schemas import Form, checked, required
from mnemoscope.core.sources import SourceFile
from mnemoscope.core.writing import sha256_of

if TYPE_CHECKING:
    from mnemoscope.core.truth.truth import Truth

__all__ = ["Reading"]

F = TypeVar("F", bound=Form)


class Reading:
    """One release while it is being read."""

    def __init__(self, file: SourceFile, options: ReadOptions) -> None:
        self.manifest = required(ReleaseFile, file.data, file.path)
        self.root = file.path.parent
        self.options = options
        self.tasks = {task.task for task in self.manifest.tasks}
        self.files = [file.path.name]
        self.log = DefectLog()
        self.present: dict[str, dict[tuple[str, str], bool]] = {}
        self.media = _Media(self.root, options.media_roots, self.log)

    def release(self) -> Release:
        """Read the files that ``release.json`` names.

        Raises:
            ReadError: It names histories, and none of them can be used.
        """
        manifest = self.manifest
        histories = self._histories()
        if manifest.histories and not histories:
            first = next(one for one in self.log.items if one.severity is Severity.ERROR)
            raise ReadError(self.root / first.file, first.path, first.found, first.expected)
        return Release(
            name=manifest.name,
            format=manifest.format,
            root=self.root,
            round_kind=manifest.round_kind,
            histories=histories,
            questions=self._questions(histories),
            evaluator=self._evaluator(),
            files=tuple(self.files),
            tasks=tuple(TaskLabel(**vars(task)) for task in manifest.tasks),
            settings=manifest.settings,
            image_variants=manifest.variants.image,
            audio_variants=manifest.variants.audio,
            textualisation=Textualisation(**vars(manifest.textualisation)),
            media_roots=(self.root, *self.options.media_roots),
            defects=tuple(self.log.items),
            licence=manifest.licence,
        )

    def _file(self, name: str, place: str = "$") -> Path | None:
        """The file with a name in ``release.json``, its hash compared."""
        self.log.file = name
        try:
            path = (self.root / name).resolve()
            if not path.is_relative_to(self.root.resolve()):
                self.log.file = self.files[0]
                self.log.error("path_outside", place, name, "a file inside the release")
                return None
            expected = self.manifest.files.get(name)
            require_file(path)
            found = sha256_of(path)
        except InputError as error:
            self.log.unreadable(error, path)
            return None
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links in a circle
            found = Described(getattr(error, "strerror", None) or error)
            self.log.error("unreadable_file", "$", found, "a readable file")
            return None
        if expected is None and self.manifest.files:
            self.log.warning("checksum_missing", "$", Described("no hash"), "one in release.json")
        elif expected is not None and found != expected:
            shown = Described(f"content with sha256 {found[:12]}…")
            # Nothing but its hash can tell that a heading or a limit in a truth file has changed.
            report = self.log.error if name in self.manifest.truth else self.log.warning
            report("checksum_differs", "$", shown, f"{expected[:12]}… as in release.json")
        self.files.append(name)
        return path

    def _documents(self, key: str, form: type[F]) -> Iterator[tuple[str, F]]:
        names: Sequence[str] = getattr(self.manifest, key)
        for place, name in enumerate(names):
            path = self._file(name, f"$.{key}[{place}]")
            if path is None:
                continue
            try:
                document = checked(form, read_json(path), self.log)
            except InputError as error:
                self.log.unreadable(error, path)
                continue
            if document is not None:
                yield name, document

    def _histories(self) -> dict[str, History]:
        histories: dict[str, History] = {}
        for name, form in self._documents("histories", HistoryFile):
            if form.id in histories:
                self.log.error("duplicate_history", "$.id", form.id, "a new id")
                continue
            histories[form.id] = history = self._history(name, form)
            self.present[history.id] = {
                (one.kind.value, one.id): one.state is AttachmentState.PRESENT
                for shown in reversed(history.rounds)
                for one in reversed([*shown.attachments])
            }
            self._check_ids("session", [one.id for one in history.sessions], history)
            self._check_ids("round", [one.id for one in history.rounds], history)
        return histories

    def _check_ids(self, what: str, ids: Sequence[str], history: History) -> None:
        for repeated in (one for one, count in Counter(ids).items() if count > 1):
            self.log.error(f"duplicate_{what}_id", history.place, repeated, "an id used once")

    def _history(self, name: str, form: HistoryFile) -> History:
        sessions = []
        count = 0
        for place, session in enumerate(form.sessions):
            at = f"$.sessions[{place}]"
            rounds = []
            for nth, one in enumerate(session.rounds):
                where = f"{at}.rounds[{nth}]"
                messages = tuple(
                    Message(
                        message.speaker,
                        message.role,
                        message.text,
                        self.media.all_of(message.attachments, f"{where}.messages[{index}]"),
                        message.spoken,
                        message.time,
                    )
                    for index, message in enumerate(one.messages)
                )
                rounds.append(Round(one.id, session.id, count + nth, messages, where))
            count += len(rounds)
            text, group = session.date_text, session.group
            sessions.append(Session(session.id, session.date, text, tuple(rounds), at, group))
        return History(form.id, form.name, tuple(sessions), name)

    def _questions(self, histories: dict[str, History]) -> dict[str, Question]:
        questions: dict[str, Question] = {}
        asked: Counter[str] = Counter()
        path = self._file(QUESTIONS)
        for place, data in () if path is None else json_lines(path, self.log):
            form = checked(QuestionLine, data, self.log, place)
            if form is None:
                continue
            history = histories.get(form.history_id)
            if history is None:
                expected = "the id of a history that can be read"
                self.log.error("history_absent", f"{place}.history_id", form.history_id, expected)
            elif form.key in questions:
                self.log.error("duplicate_key", f"{place}.key", form.key, "a new key")
            else:
                question = self._question(form, place, history, asked[history.id])
                asked[history.id] += 1
                questions[form.key] = question
                self._check(question, history)
        return questions

    def _question(self, form: QuestionLine, place: str, history: History, nth: int) -> Question:
        media = self.media
        options = []
        for index, option in enumerate(form.options):
            at = f"{place}.options[{index}].attachment"
            picture = None if option.attachment is None else media.one(option.attachment, at)
            options.append(Option(option.label, option.text, picture))
        fields = vars(form).copy()
        del fields["extra"]
        fields |= {
            "index": nth if form.index is None else form.index,
            "text": form.stem if form.text is None else form.text,
            "gold": Gold(**vars(form.gold)),
            "options": tuple(options),
            "attachments": media.all_of(form.attachments, place),
            "clues": tuple(
                self._clue(clue, f"{place}.clues[{index}]", history)
                for index, clue in enumerate(form.clues)
            ),
        }
        return Question(**fields, place=place, file=QUESTIONS)

    def _clue(self, form: ClueForm, place: str, history: History) -> Clue:
        """Check where a clue leads; whether its file is there is a matter of this machine."""
        round_id, session_id, problem = form.round_id, form.session_id, form.problem
        if (round_id and round_id not in history.round_by_id) or (
            session_id and session_id not in history.session_by_id
        ):
            round_id, session_id, problem = "", "", ClueProblem.UNKNOWN_ID
        if problem is ClueProblem.NONE or problem is ClueProblem.FILE_MISSING:
            present = self.present[history.id].get((form.target.value, form.id))
            if present is not None:
                problem = ClueProblem.NONE if present else ClueProblem.FILE_MISSING
        else:
            found = " ".join(filter(None, (form.written, form.round_id, form.session_id)))
            self.log.warning(f"clue_{problem}", place, found, "a pointer that resolves")
        return Clue(form.written, form.target, form.id, round_id, session_id, problem, place)

    def _check(self, question: Question, history: History) -> None:
        log, place = self.log, question.place
        labels = [option.label for option in question.options]
        if question.gold.kind is GoldKind.OPTION and question.gold.option not in labels:
            found = question.gold.option
            log.error("gold_not_an_option", f"{place}.gold.option", found, "one of the options")
        if question.task not in self.tasks and (question.task or self.tasks):
            log.warning("unknown_task", f"{place}.task", question.task, "a task of release.json")
        if question.setting and question.setting not in self.manifest.settings:
            expected = "a setting of release.json"
            log.warning("unknown_setting", f"{place}.setting", question.setting, expected)
        until = question.visible_until
        if until and until not in history.round_by_id and until not in history.session_by_id:
            expected = "a round or session of the history"
            log.warning("unknown_visible_until", f"{place}.visible_until", until, expected)

    def _evaluator(self) -> EvaluatorData:
        histories, sessions, rounds, questions = {}, {}, {}, {}
        for _, form in self._documents("evaluator", EvaluatorFile):
            questions.update(form.questions)
            if form.history_id is None:
                continue
            if form.history is not None:
                histories[form.history_id] = form.history
            sessions.update({(form.history_id, key): one for key, one in form.sessions.items()})
            rounds.update({(form.history_id, key): one for key, one in form.rounds.items()})
        return EvaluatorData(histories, sessions, rounds, questions, self._truths())

    def _truths(self) -> "dict[str, Truth]":
        """State trajectories as written; ``validate`` audits them."""
        truths: dict[str, Truth] = {}
        if not self.manifest.truth:
            return truths
        from mnemoscope.core.truth.reading import truth_of
        from mnemoscope.core.truth.schema import TruthFile

        for name, form in self._documents("truth", TruthFile):
            if form.history_id in truths:
                expected = "a history without another truth file"
                self.log.error("duplicate_truth", "$.history_id", form.history_id, expected)
                continue
            truths[form.history_id] = truth_of(form, name)
        return truths


class _Media:
    """Attachments with their files, looked for in the release and where the user says."""

    def __init__(self, root: Path, media_roots: Sequence[Path], log: DefectLog) -> None:
        self.inside = MediaFiles(root)
        # What the release does not contain is looked for by its path of origin, and never in the
        # release itself: there such a path could meet another file by chance.
        self.outside = MediaFiles(media_roots[0], media_roots[1:]) if media_roots else None
        self.log = log

    def all_of(self, forms: Sequence[AttachmentForm], place: str) -> tuple[Attachment, ...]:
        """The attachments of a message or a question."""
        if not forms:
            return ()
        return tuple(
            self.one(form, f"{place}.attachments[{index}]") for index, form in enumerate(forms)
        )

    def one(self, form: AttachmentForm, place: str) -> Attachment:
        """An attachment with its file, when that is there."""
        state, file, note = AttachmentState.MISSING, "", form.note
        if form.media:
            found = self.inside.find(form.media)
            state, file, note = found.state, found.file, found.note or form.note
            if state is not AttachmentState.PRESENT:
                expected = f"a file that is there: {found.note}"
                self.log.warning("media_missing", f"{place}.media", form.media, expected)
        elif self.outside is not None:
            found = self.outside.find(form.written)
            if found.state is AttachmentState.PRESENT:
                state, file, note = found.state, found.file, ""
        if form.unreadable and (state is AttachmentState.PRESENT or not form.media):
            state, note = AttachmentState.UNREADABLE, form.note
        return Attachment(form.kind, form.id, form.written, form.captions, state, file, note)
