"""Names that users choose by, apart from what they stand for.

The command line offers them before anything is read; what they stand for imports much more.
"""

__all__ = ["REPAIR_NAMES", "RULE_NAMES"]

RULE_NAMES = ("stored", "rq1", "rq3", "open", "exact", "contains", "f1")
"""Every rule that can decide: the run's own verdict, a parsing rule against the gold option, or a
rule of open answers against gold texts and values."""
REPAIR_NAMES = ("doubled-prefix",)
"""Every repair of a run's ids that can be asked for."""
