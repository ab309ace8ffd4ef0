"""Searching the pages of a screen: marks on every match, and a way from one to the next."""

import re
from collections.abc import Sequence

from textual.widgets import Input

from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import search_pattern
from mnemoscope.core.text import counted, one_line
from mnemoscope.tui.line_input import LineInput
from mnemoscope.tui.screens.base import PaneScreen
from mnemoscope.viewers.matches import Words
from mnemoscope.viewers.page import Page

__all__ = ["PageSearch"]

_NO_MATCH = -1


class PageSearch(PaneScreen):
    """A screen with pages that can be searched, as one text in the order of its panes."""

    def __init__(self) -> None:
        super().__init__()
        self._searched = ""
        self._match = _NO_MATCH

    def search_line(self) -> LineInput:
        """The line to type in, for the screen's body."""
        return LineInput("find here: text, or /regular expression/", id="search")

    def draw_header(self) -> None:
        """Draw the header, with ``search_place`` in it."""
        raise AssertionError("a screen that can be searched says where one is")

    def search_place(self) -> Sequence[str]:
        """Where one is among the matches, in parts of the header; nothing without a search."""
        if not self._searched:
            return ()
        count = sum(page.match_count for page in self._pages)
        said = f"“{one_line(self._searched)}” · {self.sentence('{app.back} clears')}"
        if not count:
            return (f"no match {said}",)
        more = " and more" if any(page.has_more_matches for page in self._pages) else ""
        if 0 <= self._match < count:
            return (f"match {self._match + 1:,} of {count:,}{more} {said}",)
        return (f"{counted(count, 'match', 'matches')}{more} {said}",)

    @property
    def marked_words(self) -> Words:
        """What is marked without a search: what the filter of the questions list looks for."""
        return () if self._searched else self.desk.words

    def search_drawn(self, *, keep: bool = False) -> None:
        """Take note that the pages have been filled anew, with ``keep`` with the same thing."""
        count = sum(page.match_count for page in self._pages)
        self._match = self._match if keep and self._match < count else _NO_MATCH
        self._show_match(self._match)

    def give_up(self) -> bool:
        if not self._searched:
            return False
        self._search("", None)
        return True

    @property
    def _pages(self) -> list[Page]:
        """The pages that can be seen or gone to, in order."""
        panes = [self.query_one(f"#{pane}") for pane in self.PANES if self.pane_is_there(pane)]
        return [pane for pane in panes if isinstance(pane, Page)]

    def action_find(self) -> None:
        """Ask for what to search."""
        self.add_class("-searching")
        line = self.query_one("#search", Input)
        line.value = self._searched
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search for what was typed; nothing ends the search."""
        event.stop()
        try:
            pattern = search_pattern(event.value) if event.value else None
        except UsageError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._close_search()
        self._search(event.value, pattern)
        if pattern is not None:
            self._step_match(1)

    def on_line_input_left(self) -> None:
        """Leave the line; left empty, it also ends the search."""
        if not self.query_one("#search", Input).value:
            self._search("", None)
        self._close_search()

    def action_next_match(self) -> None:
        """Go to the next match, from the last one to the first."""
        self._step_match(1)

    def action_previous_match(self) -> None:
        """Go to the match before, from the first one to the last."""
        self._step_match(-1)

    def _close_search(self) -> None:
        self.remove_class("-searching")
        panes = [pane for pane in self.PANES if self.has_class(f"-at-{pane}")]
        self.go_to_pane(panes[0] if panes else next(iter(self.PANES)))

    def _search(self, text: str, pattern: re.Pattern[str] | None) -> None:
        self._searched, self._match = text, _NO_MATCH
        pages = self.query(Page)
        # Drawing fills most pages anew: to mark a long one before would do it twice.
        for page in pages:
            page.search(pattern, later=True)
        self.draw()
        for page in pages:
            page.search(pattern)

    def _step_match(self, step: int) -> None:
        count = sum(page.match_count for page in self._pages)
        if not count:
            searched = f"“{one_line(self._searched)}” is nowhere here."
            first = self.sentence(f"{{{self.SCOPE}.find}} searches first.")
            self.notify(searched if self._searched else first, markup=False)
            return
        if self._match == _NO_MATCH and step < 0:
            self._match = 0
        self._match = (self._match + step) % count
        page = self._show_match(self._match)
        if page.id is not None:
            self.go_to_pane(page.id)
        self.draw_header()

    def _show_match(self, match: int) -> Page:
        """Set a match apart on its page, and no other on any page."""
        found = self._pages[0]
        for page in self._pages:
            here = 0 <= match < page.match_count
            page.show_match(match if here else None)
            found = page if here else found
            match -= page.match_count
        return found
