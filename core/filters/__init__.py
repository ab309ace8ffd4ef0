"""The filter language: one table of fields for the app and the command line.

``task:entity setting:implicit sys:A.wrong sys:B.right /lamp/ !A.recall>=0.5 sample:50 seed:7``
"""

from mnemoscope.core.filters.fields import FIELDS, FIGURES, OUTCOMES, Field, help_rows
from mnemoscope.core.filters.language import parse_expression, search_pattern
from mnemoscope.core.filters.rows import Filter, parse
from mnemoscope.core.filters.search import searched_texts
from mnemoscope.core.filters.terms import Expression

__all__ = [
    "FIELDS",
    "FIGURES",
    "OUTCOMES",
    "Expression",
    "Field",
    "Filter",
    "help_rows",
    "parse",
    "parse_expression",
    "search_pattern",
    "searched_texts",
]
