"""How an annotator works: under which name, with which taxonomy, with what of others in sight."""

from collections.abc import Sequence
from typing import ClassVar

from mnemoscope.core.tags.catalogue import kind_of
from mnemoscope.core.tags.taxonomy import TargetKind, Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.tui.actions import actions_of
from mnemoscope.tui.screens.base import PaneScreen
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.tagging import Tagging
from mnemoscope.viewers.columns import Column

__all__ = ["TagChoices"]


class TagChoices(PaneScreen):
    """A screen on which somebody tags, and chooses how."""

    TARGETS: ClassVar[Sequence[TargetKind]] = (TargetKind.RECORD, TargetKind.QUESTION)
    """What the taxonomies offered are about."""

    def __init__(self) -> None:
        super().__init__()
        self._asking = False

    @property
    def tagging(self) -> Tagging | None:
        """The annotator at work."""
        return self.desk_app.tagging

    def draw_tags(self) -> None:
        """Draw what has been said; the screen does it."""
        raise AssertionError("a screen on which one tags shows the tags")

    def take_up(self) -> Tagging | None:
        """The annotator at work, ready for this screen; None while that is being found out."""
        tagging = self.tagging
        if tagging is not None and tagging.tags is not self.desk.workspace.tags:
            tagging = self.desk_app.tagging = None
        if tagging is None:
            if self.is_current:
                self.call_after_refresh(self.desk_app.read_tags, self.start)
            return None
        tagging.workspace = self.desk.workspace
        if tagging.scope != self.SCOPE:
            tagging.take_to(self.SCOPE, self._reserved())
        if tagging.taxonomy.target not in self.TARGETS:
            tagging.choose(self._usual_taxonomy(tagging.tags))
        return tagging

    def _offered(self, tags: WorkspaceTags) -> list[Taxonomy]:
        return [one for one in tags.catalogue if one.target in self.TARGETS]

    @property
    def _memory_name(self) -> str:
        return "taxonomy" if TargetKind.RECORD in self.TARGETS else "taxonomy_of_sessions"

    def _usual_taxonomy(self, tags: WorkspaceTags) -> Taxonomy:
        """The taxonomy used last for releases of this kind, else the usual one."""
        kind = kind_of(self.desk.workspace.release)
        chosen = self.desk_app.tagging_memory.load().get(self._memory_name, {})
        offered = {one.name: one for one in self._offered(tags)}
        usual = tags.catalogue.usual(kind)
        first = usual if usual.name in offered else next(iter(offered.values()), usual)
        name = chosen.get(kind, "") if isinstance(chosen, dict) else ""
        return offered.get(name, first)

    def start(self) -> None:
        """Ask who tags, unless that is known, and begin."""
        if not self.is_mounted:
            return
        known = self.desk_app.tagging_memory.load()
        name = known.get("annotator") or self.desk_app.config.annotator
        if self.tagging is not None or self._asking:
            return
        if isinstance(name, str) and name:
            self._begin(name)
        else:
            self.action_annotator()

    def _begin(self, annotator: str) -> None:
        workspace = self.desk.workspace
        assert workspace.tags is not None
        memory = self.desk_app.tagging_memory.load()
        before = self.tagging
        self.desk_app.tagging = Tagging(
            workspace,
            workspace.tags,
            annotator,
            self._usual_taxonomy(workspace.tags),
            reserved=self._reserved(),
            scope=self.SCOPE,
            blind=before.blind if before else False,
            auto_advance=bool(memory.get("auto_advance", False)),
        )
        self._remember(annotator=annotator)
        self.draw()

    def _remember(self, **changes: object) -> None:
        memory = self.desk_app.tagging_memory
        problem = memory.save({**memory.load(), **changes})
        if problem:
            self.notify(f"Not remembered for next time: {problem}", markup=False)

    def _reserved(self) -> str:
        """The keys that mean something else here, whatever the user has made of them."""
        keys = self.desk_app.effective_keys
        scopes = (self.SCOPE, "app", "list", "page")
        shown = {
            part
            for scope in scopes
            for action in actions_of(scope)
            for part in keys.label(action).split()
        }
        return "".join(sorted(one for one in shown if len(one) == 1))

    def action_others(self) -> None:
        tagging = self.tagging
        if tagging is None:
            return
        if tagging.hides:
            ends = "{tag.reveal} reveals all" if self.SCOPE == "tag" else "{review.blind} ends it"
            self.notify(self.sentence(f"Blind mode hides others' tags: {ends}."))
            return
        tagging.tags.reread()
        tagging.show_others = not tagging.show_others
        self.draw_tags()

    def action_blind(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            tagging.blind, tagging.revealed = not tagging.blind, False
            tagging.show_others = tagging.show_others and not tagging.blind
            self.draw()

    def action_advance(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            tagging.auto_advance = not tagging.auto_advance
            self._remember(auto_advance=tagging.auto_advance)
            said = "goes on by itself once all is chosen" if tagging.auto_advance else "waits"
            self.notify(f"Tagging {said}.")

    def action_taxonomy(self) -> None:
        tagging = self.tagging
        if tagging is None:
            return
        found = self._offered(tagging.tags)
        rows = [(one.name, one.title, one.about) for one in found]

        def chosen(index: int | None) -> None:
            if index is not None:
                tagging.choose(found[index])
                memory = self.desk_app.tagging_memory.load().get(self._memory_name, {})
                of = {**memory, kind_of(self.desk.workspace.release): found[index].name}
                self._remember(**{self._memory_name: of})
                self.draw()

        columns = (Column("name", 15), Column("title", 22), Column("about", 20, flex=1, dim=True))
        names = [one.name for one in found]
        current = names.index(tagging.taxonomy.name) if tagging.taxonomy.name in names else 0
        self.app.push_screen(Chooser("Taxonomy", columns, rows, current=current), chosen)

    def action_annotator(self) -> None:
        """Say who tags."""
        tagging = self.tagging
        self._asking = True

        def named(name: str | None) -> None:
            self._asking = False
            if name is not None:
                self._begin(name)
            elif self.tagging is None:
                self.app.pop_screen()

        known = tagging.annotator if tagging else ""
        self.app.push_screen(Prompt("Who tags?", "a name; it stands with every tag", known), named)
