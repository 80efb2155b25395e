"""Observers notified when a Python file is loaded as a policy: from then on its machine code may end the process."""

from __future__ import annotations

from collections.abc import Callable

listeners: list[Callable[[str], None]] = []  # each gets the name of the policy


def tell_loaded(name: str) -> None:
    """Tell all listeners that the policy of this name was loaded."""
    for listener in listeners:
        listener(name)
