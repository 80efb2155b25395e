"""The error of an invalid policy, raised by readers of files and by checks of compiled code."""

from __future__ import annotations

from wallsim.errors import InputError


class PolicyError(InputError):
    """A policy that cannot be used: the message names file, field, value and what is allowed."""
