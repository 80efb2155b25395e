"""Benchmarks are collected only where they are asked for: with `-m bench`."""

import re


def pytest_ignore_collect(config):
    """Leave this folder out unless the marker expression asks for `bench`, as neither `-m slow` nor `-m ""` does."""
    asked = re.search(r"(?<!not )\bbench\b", config.option.markexpr)
    return None if asked else True
