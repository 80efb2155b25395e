"""Results as an experiment that anybody can play again: one short TOML file, and the custom files that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from wallsim.errors import RunError
from wallsim.escaping import in_toml, toml_line
from wallsim.experiment.components import experiment_values
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.setup_keys import EXCHANGE, REPLACE
from wallsim.folder.layout import BOARD, CODEBOOK, EXPERIMENT, POLICIES
from wallsim.folder.result_folder import ResultFolder, readable
from wallsim.folder.results import Run, board_of, printed_lineup
from wallsim.folder.tournament import TournamentRun
from wallsim.policies.policy import is_code_file
from wallsim.rules.board import Board, printed_board
from wallsim.rules.files import read_toml
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.tower import load_tower, tower_presets

_ENTRIES = ("rules", "amounts")  # tables whose entries a scenario changes one by one


FILE = "experiment.toml"  # what the page calls the file
_ALWAYS = ("players", "setup", "policies", "games", "seed", "tower")  # keys that a reader looks for
_LEFT_OUT = ("chunk",)  # keys that change no row

Values = dict[str, Any]


class SharedExperiment(NamedTuple):
    """The text of `experiment.toml`, and the bytes of the other files by their paths beside it."""

    text: str
    files: Mapping[str, bytes]

    @property
    def has_code(self) -> bool:
        """Whether a file is a Python policy, which is run only with `--trust-code`."""
        return any(map(is_code_file, self.files))


def shared_run(run: Run) -> SharedExperiment:
    """What a run was played with. RunError if a document of it is missing or damaged."""
    files = _copies(run)
    values = {**read_toml(run.manifest["experiment"]["text"]), "games": run.manifest["games"]}
    return SharedExperiment(values_text(_short(_placed(values, files, ""), board_of(run))), files)


def shared_scenarios(runs: Mapping[str, Run]) -> SharedExperiment:
    """Runs by name as one file of scenarios. RunError if a document of a run is missing or damaged.

    Files of different runs that have one name and different bytes are placed in a folder for each scenario.
    """
    copies = {name: _copies(run) for name, run in runs.items()}
    content: dict[str, set[bytes]] = {}
    for files in copies.values():
        for file, data in files.items():
            content.setdefault(file, set()).add(data)
    apart = any(len(each) > 1 for each in content.values())
    tables, all_files = {}, dict[str, bytes]()
    for name, run in runs.items():
        below = f"{name}/" if apart and copies[name] else ""
        values = {**read_toml(run.manifest["experiment"]["text"]), "games": run.manifest["games"]}
        tables[name] = _short(_placed(values, copies[name], below), board_of(run))
        all_files |= {f"{below}{file}": data for file, data in copies[name].items()}
    return SharedExperiment(scenarios_text(tables), all_files)


def shared_tournament(run: TournamentRun) -> SharedExperiment:
    """What a tournament was played with, apart from its policies. RunError as for scenarios."""
    files = _copies(run)
    towers = [name for name in tower_presets() if load_tower(name).numbers() == run.identity["tower"]]
    copies = [file for file in files if file.startswith("tower-")]
    tower = [*towers, *copies, run.manifest["tower"]["name"]][0]  # the last one is a preset of another version
    board = None if run.identity["board"] == printed_board().digest else BOARD
    values = _short(experiment_values(run.identity, tower, board), board_of(run))
    return SharedExperiment(values_text({key: value for key, value in values.items() if key != "policies"}), files)


def tournament_policies(run: TournamentRun, files: Mapping[str, bytes]) -> list[str]:
    """The policies of a tournament as its command names them: by name, or by the path of their file."""
    paths = {name: (f"{POLICIES}/{name}.toml", f"{POLICIES}/{name}.py") for name in run.policies}
    return [next((path for path in paths[name] if path in files), name) for name in run.policies]


def _copies(results: ResultFolder) -> dict[str, bytes]:
    # The custom files in a folder, as its manifest describes them.
    files = {}
    for name, digest in results.manifest["papers"].items():
        if name in (EXPERIMENT, CODEBOOK):
            continue
        with readable(results.place):
            data = results.place.read(name)
        if sha256(data).hexdigest() != digest:
            raise RunError(f"{results.folder}/{name}: its bytes have changed; {results.repair_hint(results.place)}")
        files[name] = data
    return files


def _placed(values: Values, files: Mapping[str, bytes], below: str) -> Values:
    # Values whose paths start at the folder of the shared file.
    def path(name: str) -> str:
        return f"{below}{name}" if name in files else name

    board = {"board": f"{below}{BOARD}"} if values.get("board") is not None else {}
    return {**values, "tower": path(values["tower"]), "policies": list(map(path, values["policies"])), **board}


def _short(values: Values, board: Board) -> Values:
    """The values that a reader needs: the most important ones, and those that are not the default."""
    fields, rules = Experiment.model_fields, Ruleset()
    short = {
        key: value
        for key, value in values.items()
        if key in _ALWAYS or (key not in _LEFT_OUT and value and value != fields[key].default)
    }
    if len(set(short.get("policies", ()))) == 1:
        short["policies"] = short["policies"][0]
    if values["lineups"] == list(LETTERS[: values["players"]]):
        short.pop("lineups", None)
    switches = {name: value for name, value in values["rules"].items() if value != getattr(rules, name)}
    short |= {"rules": switches} if switches else {}
    if not switches:
        short.pop("rules", None)
    if values.get("lineup"):
        without = values.get("without", ())
        short["lineup"] = {
            letter: _edit(printed_lineup(board, values["players"], letter), groups, without)
            for letter, groups in values["lineup"].items()
        }
    return short


def _edit(printed: Mapping[str, int], edited: Mapping[str, int], without: Sequence[str]) -> Values:
    """An edited line-up as an exchange of printed counties where it is one, else as the whole line-up."""
    if not without and list(printed.values()) == list(edited.values()):
        changed = {old: new for old, new in zip(printed, edited, strict=True) if old != new}
        if changed:
            return {EXCHANGE: changed}
    return {REPLACE: dict(edited)}


def values_text(values: Mapping[str, Any]) -> str:
    """The TOML of the values of one experiment."""
    return "\n".join([*_lines(values), ""])


def scenarios_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The TOML of a file with these scenarios: what all share above, then a table for each."""
    first, *others = map(_flat, tables.values())
    shared = {key: value for key, value in first.items() if all(key in each and each[key] == value for each in others)}
    lines = _lines(_nested(shared))
    for name, values in tables.items():
        own = {key: value for key, value in _flat(values).items() if key not in shared}
        lines += ["", f"[scenario.{toml_line(name, 0).removesuffix(' = 0')}]", *_lines(_nested(own))]
    return "\n".join([*lines, ""])


def _flat(values: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
    # Mapping[str, Any] by key, and those of `_ENTRIES` by key and entry.
    flat: dict[tuple[str, ...], Any] = {}
    for key, value in values.items():
        flat |= {(key, name): entry for name, entry in value.items()} if key in _ENTRIES else {(key,): value}
    return flat


def _nested(flat: Mapping[tuple[str, ...], Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for (key, *name), value in flat.items():
        if name:
            values.setdefault(key, {})[name[0]] = value
        else:
            values[key] = value
    return values


def _lines(values: Mapping[str, Any]) -> list[str]:
    lines = []
    for key, value in values.items():
        if key in _ENTRIES:
            lines += [f"{key}.{toml_line(name, entry)}" for name, entry in value.items()]
        elif key == "lineup":
            lines += [
                f"{key}.{letter}.{toml_line(form, groups)}"
                for letter, edit in value.items()
                for form, groups in edit.items()
            ]
        elif isinstance(value, Sequence) and value and isinstance(value[0], Mapping):
            lines += [f"{key} = [", *(f"    {in_toml(step)}," for step in value), "]"]
        else:
            lines.append(toml_line(key, value))
    return lines
