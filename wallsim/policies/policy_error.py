"""The error of an invalid policy, which readers of files and checks of compiled code raise alike."""

from __future__ import annotations

from wallsim.errors import InputError


class PolicyError(InputError):
    """A policy that cannot be used: the message names file, field, value and what is allowed."""
