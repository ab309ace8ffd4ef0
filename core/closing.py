"""What is closed at the end of a ``with``."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ["Closes"]


class Closes(ABC):
    """Something that holds a file, a lock or a model until it is closed."""

    @abstractmethod
    def close(self) -> None:
        """Give back what is held; a second time does nothing more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
