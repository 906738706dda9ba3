"""What goes wrong, as exceptions and warnings."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._reports import Verification


class NetconvError(Exception):
    """What the program says when it fails, or `load` of an output that is not whole.

    `exit_code` is the program's: 1 the verdict is negative, 64 wrong usage, 65 bad data, 66 an input cannot be opened,
    70 an error in netconv, 73 an output cannot be created, 74 an I/O error; negative if a signal ended it.
    `report` is what `verify` found, if the verdict is negative.
    """

    def __init__(self, message: str, exit_code: int, report: Verification | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.report = report

    def __reduce__(self) -> tuple[type[NetconvError], tuple[str, int, Verification | None]]:
        return type(self), (self.message, self.exit_code, self.report)


class NetconvWarning(UserWarning):
    """What the program warns of while it succeeds."""
