"""The benchmarks whose releases are instances: one question with its own history each."""

from mnemoscope.core.model import TaskLabel
from mnemoscope.core.releases.longmemeval.forms import Dialect

__all__ = ["DIALECTS", "LONGMEMEVAL", "MEMLENS"]

LONGMEMEVAL = Dialect(
    name="longmemeval",
    title="LongMemEval",
    licence="MIT",
    types={
        "single-session-user": TaskLabel(
            "single_session_user", "Single session, user", expected=70
        ),
        "single-session-assistant": TaskLabel(
            "single_session_assistant", "Single session, assistant", expected=56
        ),
        "single-session-preference": TaskLabel(
            "single_session_preference", "Single session, preference", expected=30
        ),
        "multi-session": TaskLabel("multi_session", "Multi-session", expected=133),
        "temporal-reasoning": TaskLabel("temporal_reasoning", "Temporal reasoning", expected=133),
        "knowledge-update": TaskLabel("knowledge_update", "Knowledge update", expected=78),
    },
    refusal="",
    names_sessions=True,
)
MEMLENS = Dialect(
    name="memlens",
    title="MemLens",
    licence="CC BY 4.0",
    types={
        "information_extraction": TaskLabel("information_extraction", "Information extraction"),
        "multi_session_reasoning": TaskLabel("multi_session_reasoning", "Multi-session reasoning"),
        "temporal_reasoning": TaskLabel("temporal_reasoning", "Temporal reasoning"),
        "knowledge_update": TaskLabel("knowledge_update", "Knowledge update"),
        "answer_refusal": TaskLabel("answer_refusal", "Answer refusal"),
    },
    refusal="answer_refusal",
    names_sessions=False,
)
DIALECTS = (LONGMEMEVAL, MEMLENS)
