"""Advice as text and in notebooks."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console

from wallsim.analysis.advice.result import Advice
from wallsim.api.text import Printable
from wallsim.report.tables.advice import print_advice


@dataclass(frozen=True)
class ShownAdvice(Printable, Advice):
    """Advice that `print` shows as `wallsim advise` does."""

    def _print(self, console: Console) -> None:
        print_advice(console, self)
