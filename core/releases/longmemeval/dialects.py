"""The benchmarks whose releases are instances: one question with its own history each."""

from mnemoscope.core.model import TaskLabel
from mnemoscope.core.releases.longmemeval.forms import Dialect

__all__ = ["DIALECTS", "LONGMEMEVAL", "MEMLENS"]

LONGMEMEVAL = Dialect(
    name="longmemeval",
    title="LongMemEval",
    licence="MIT",
    tasks=(
        TaskLabel("single_session_user", "Single session, user", "single-session-user", 70),
        TaskLabel(
            "single_session_assistant", "Single session, assistant", "single-session-assistant", 56
        ),
        TaskLabel(
            "single_session_preference",
            "Single session, preference",
            "single-session-preference",
            30,
        ),
        TaskLabel("multi_session", "Multi-session", "multi-session", 133),
        TaskLabel("temporal_reasoning", "Temporal reasoning", "temporal-reasoning", 133),
        TaskLabel("knowledge_update", "Knowledge update", "knowledge-update", 78),
    ),
    refusal="",
    names_sessions=True,
)
MEMLENS = Dialect(
    name="memlens",
    title="MemLens",
    licence="CC BY 4.0",
    tasks=(
        TaskLabel("information_extraction", "Information extraction", "information_extraction"),
        TaskLabel("multi_session_reasoning", "Multi-session reasoning", "multi_session_reasoning"),
        TaskLabel("temporal_reasoning", "Temporal reasoning", "temporal_reasoning"),
        TaskLabel("knowledge_update", "Knowledge update", "knowledge_update"),
        TaskLabel("answer_refusal", "Answer refusal", "answer_refusal"),
    ),
    refusal="answer_refusal",
    names_sessions=False,
)
DIALECTS = (LONGMEMEVAL, MEMLENS)
