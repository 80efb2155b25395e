"""Policy files that tests write: the policy of a text, and what is wrong with a bad one."""

from __future__ import annotations

import pytest

from tests.refusals import assert_names
from wallsim.policies.catalogue import Policy, PolicyError, read_policy


def read(folder, text: str | bytes, name: str = "mine.toml") -> Policy:
    """The policy of a file with this text."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_policy(path)


def errors_of(folder, text: str | bytes, name: str = "mine.toml") -> list[str]:
    """All that is wrong with a file of this text, a line each; every line begins with the file, which is left out."""
    with pytest.raises(PolicyError) as caught:
        read(folder, text, name)
    start = f"{folder / name}: "
    lines = str(caught.value).splitlines()
    assert all(line.startswith(start) for line in lines), lines
    return [line.removeprefix(start) for line in lines]


def assert_errors(folder, text: str | bytes, *errors: tuple, name: str = "mine.toml") -> None:
    """Assert that these errors are found and no others, in this order, each by its key and what else it names."""
    lines = errors_of(folder, text, name)
    assert [line.split(": ")[0] for line in lines] == [key for key, *_ in errors]
    for line, (_, *names) in zip(lines, errors, strict=True):
        assert_names(line, *names)
