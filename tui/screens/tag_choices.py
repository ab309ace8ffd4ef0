"""How an annotator works: under which name, with which taxonomy, through which queue, how blind."""

from mnemoscope.tui.actions import actions_of
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.screens.tag_evidence import TagEvidence
from mnemoscope.tui.screens.tag_queue import queues
from mnemoscope.tui.tagging import Tagging
from mnemoscope.viewers.columns import Column

__all__ = ["TagChoices"]


class TagChoices(TagEvidence):
    """A tag screen on which the work itself is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._asking = False

    def draw_tags(self) -> None:
        """Draw what has been said; the screen does it."""
        raise AssertionError("a screen on which one tags shows the tags")

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
        catalogue = workspace.tags.catalogue
        memory = self.desk_app.tagging_memory.load()
        chosen = memory.get("taxonomy", {}).get(workspace.release.format, "")
        taxonomy = catalogue.taxonomies.get(chosen) or catalogue.usual(workspace.release.format)
        before = self.tagging
        self.desk_app.tagging = Tagging(
            workspace,
            workspace.tags,
            annotator,
            taxonomy,
            reserved=self._reserved(),
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
        scopes = ("tag", "app", "list", "page")
        shown = {
            part
            for scope in scopes
            for action in actions_of(scope)
            for part in keys.label(action).split()
        }
        return "".join(sorted(one for one in shown if len(one) == 1))

    def action_reveal(self) -> None:
        tagging = self.tagging
        if tagging is None or not tagging.blind:
            self.notify(self.sentence("Nothing is hidden: {tag.blind} turns blind mode on."))
        elif not tagging.revealed:
            tagging.revealed = True
            self.draw()

    def action_blind(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            tagging.blind, tagging.revealed = not tagging.blind, False
            tagging.show_others = tagging.show_others and not tagging.blind
            self.draw()

    def action_others(self) -> None:
        tagging = self.tagging
        if tagging is None:
            return
        if tagging.hides:
            self.notify(self.sentence("Blind mode hides others' tags: {tag.reveal} reveals all."))
            return
        tagging.tags.reread()
        tagging.show_others = not tagging.show_others
        self.draw_tags()

    def action_advance(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            tagging.auto_advance = not tagging.auto_advance
            self._remember(auto_advance=tagging.auto_advance)
            on = (
                "goes on by itself after a single label"
                if tagging.auto_advance
                else "waits for you"
            )
            self.notify(f"Tagging {on}.")

    def action_taxonomy(self) -> None:
        tagging = self.tagging
        if tagging is None:
            return
        found = list(tagging.tags.catalogue)
        rows = [(one.name, one.title, one.about) for one in found]

        def chosen(index: int | None) -> None:
            if index is not None:
                tagging.choose(found[index])
                memory = self.desk_app.tagging_memory.load().get("taxonomy", {})
                of = {**memory, self.desk.workspace.release.format: found[index].name}
                self._remember(taxonomy=of)
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

    def action_queue(self) -> None:
        """Choose what to work through."""
        tagging = self.tagging
        if tagging is None:
            return
        found = queues(self.desk, tagging)
        rows = [(one.title, f"{len(one.keys):,}") for one in found]

        def chosen(index: int | None) -> None:
            if index is not None and found[index].keys:
                self.desk.walk = found[index]
                tagging.revealed = False
                self.draw()
            elif index is not None:
                self.notify("There is nothing in that queue.")

        columns = (Column("work through", 30, flex=1), Column("", 8, align="right"))
        self.app.push_screen(Chooser("Queue", columns, rows), chosen)
