"""The part of a page from which anybody plays its games again: an experiment, its files, and the commands."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wallsim.escaping import in_shell
from wallsim.runs.shared_experiment import FILE, SharedExperiment, tournament_policies
from wallsim.runs.tournament.folder import TournamentRun

_TRUST = " --trust-code"
_CODE = "They contain Python code, which runs with your rights: read it first."


class SharedFile(NamedTuple):
    """A file by its path, with its text, and a link that holds its bytes."""

    name: str
    text: str
    link: str


class Step(NamedTuple):
    """What the reader does, with the commands for it."""

    words: str
    commands: Sequence[str] = ()


class SharedFiles(NamedTuple):
    """The steps that play the games again, and the files that they need, the experiment first."""

    steps: Sequence[Step]
    files: Sequence[SharedFile]


def run_files(shared: SharedExperiment, manifest: Mapping[str, Any]) -> SharedFiles:
    """The files and steps of a run."""
    run = f"wallsim run {FILE}{_TRUST if shared.has_code else ''} --out results/again"
    report = "wallsim report results/again --out again.html"
    return _files(shared, manifest, [Step("Play the games, and write this page again:", (run, report))])


def scenario_files(shared: SharedExperiment, manifest: Mapping[str, Any]) -> SharedFiles:
    """The files and steps of scenarios, the first of which is the one that others are compared with."""
    return _scenario_files(shared, manifest, "results/again")


def two_files(shared: SharedExperiment, manifest: Mapping[str, Any]) -> SharedFiles:
    """The files and steps of two runs as the scenarios A and B."""
    return _scenario_files(shared, manifest, "results/again/scenario=A results/again/scenario=B")


def _scenario_files(shared: SharedExperiment, manifest: Mapping[str, Any], compared: str) -> SharedFiles:
    run = f"wallsim run {FILE}{_TRUST if shared.has_code else ''} --out results/again"
    compare = f"wallsim compare {compared} --html again.html"
    return _files(shared, manifest, [Step("Play the games, and write this page again:", (run, compare))])


def tournament_files(shared: SharedExperiment, run: TournamentRun) -> SharedFiles:
    """The files and steps of a tournament."""
    policies = in_shell(",".join(tournament_policies(run, shared.files)))
    play = f"wallsim tournament {policies} --experiment {FILE} --blocks {run.manifest['blocks']} --out results/again"
    report = "wallsim report results/again --out again.html"
    return _files(shared, run.manifest, [Step("Play the tournament, and write this page again:", (play, report))])


def _files(shared: SharedExperiment, manifest: Mapping[str, Any], steps: Sequence[Step]) -> SharedFiles:
    version = manifest.get("packages", {}).get("wallsim", "")
    head = f"# Played with wallsim {version}, engine version {manifest['engine_version']}:\n"
    commands = "".join(f"#   {command}\n" for step in steps for command in step.commands)
    save = f"Save {FILE} into a new folder, and go there."
    if shared.files:
        save = f"Save {FILE} into a new folder, and the files below it under their paths. Go to that folder."
    if shared.has_code:
        save += f" {_CODE}"
    text = f"{head}{commands}{shared.text}"
    files = {FILE: text.encode(), **shared.files}
    return SharedFiles([Step(save), *steps], [_file(name, data) for name, data in files.items()])


def _file(name: str, data: bytes) -> SharedFile:
    link = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    return SharedFile(name, data.decode("utf-8", "replace"), link)
