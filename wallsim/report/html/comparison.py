"""Pages on what changed between two runs, and between the scenarios of a folder."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import Contrast
from wallsim.analysis.contrasts.scenarios import ScenarioComparison
from wallsim.escaping import escaped_line, in_shell
from wallsim.report.html.page import page_names
from wallsim.report.html.sheets import Sheet, sheets_page
from wallsim.report.tables.contrasts import (
    ADJUSTMENTS,
    FOUND,
    change_in_words,
    heading,
    notes,
    row_of,
    scenario_notes,
    scenario_settings,
    section,
    spread_row,
)
from wallsim.report.tables.estimates import how_many
from wallsim.runs.folder.address import Folder

_HEADS = ("change", "interval", "p")
_MOST = 6  # takeaways of a page
_FEW = 4  # changed settings that stand above the tables


def comparison_page(comparison: Comparison, adjustment: str = "holm") -> str:
    """The page on two runs: what changed and is known to have changed, and every contrast with its interval."""
    pairing = comparison.pairing
    adjusted = [float(each) for each in ADJUSTMENTS[adjustment](comparison.p_values())]
    first, second = page_names([run.folder for run in pairing.runs])
    changes = [escaped_line(change) for change in pairing.changes()]
    more = f" and {len(changes) - _FEW} more settings, listed below" if len(changes) > _FEW else ""
    lead = [
        f"{how_many(len(pairing.games), 'game')} in pairs, {pairing.players} players, "
        f"seed {pairing.first.identity['seed']}. A is {first}, B is {second}.",
        *pairing.settings(),
        f"Changed: {'; '.join(changes[:_FEW]) or 'nothing'}{more}.",
    ]
    words = notes(comparison, adjustment, coloured=False)
    sheet = Sheet("Means per game", ("", "A", "B", *_HEADS), _rows(comparison, adjusted), words)
    sheets = [sheet, *([Sheet("All that differs", ("setting",), [[each] for each in changes], [])] if more else [])]
    takeaways = _takeaways([(comparison, adjusted, "")], "No change is known")
    return sheets_page(
        "Two runs compared", lead, takeaways, sheets, ("This page", f"wallsim compare {first} {second} --html FILE")
    )


def scenarios_page(result: ScenarioComparison, folder: Folder, adjustment: str = "holm") -> str:
    """The page on scenarios: each against the baseline, a table each; with simultaneous intervals and p-values."""
    adjusted = iter([float(each) for each in ADJUSTMENTS[adjustment](result.p_values())])
    by_name = {name: [next(adjusted) for _ in each.contrasts] for name, each in result.comparisons.items()}
    pairing = next(iter(result.comparisons.values())).pairing
    lead = [
        f"{len(by_name)} scenario{'s' if len(by_name) > 1 else ''} against {escaped_line(result.baseline)}, "
        f"{pairing.players} players, seed {pairing.first.identity['seed']}.",
        *scenario_settings(result),
    ]
    sheets = [
        Sheet(
            escaped_line(name), ("", escaped_line(result.baseline), "scenario", *_HEADS), _rows(each, by_name[name]),
            [f"{how_many(len(each.pairing.games), 'game')} in pairs."],
        )
        for name, each in result.comparisons.items()
    ]  # fmt: skip
    known = [(each, by_name[name], f"{escaped_line(name)}: ") for name, each in result.comparisons.items()]
    words = scenario_notes(result, adjustment, coloured=False)
    return sheets_page(
        "Scenarios compared", lead, _takeaways(known, "No change of a scenario is known"), sheets,
        ("This page", f"wallsim compare {in_shell(page_names([folder])[0])} --html FILE"), words,
    )  # fmt: skip


def _rows(comparison: Comparison, adjusted: Sequence[float]) -> list[list[str]]:
    rows = []
    for contrast, p_value in zip(comparison.contrasts, adjusted, strict=True):
        _, *cells = (cell.plain for cell in row_of(contrast, comparison, p_value))
        rows.append([_name(contrast), *cells])
    spread = comparison.spread()
    return [*rows, *([[cell.plain.strip() for cell in spread_row(spread, comparison.level)]] if spread else [])]


def _takeaways(known: Sequence[tuple[Comparison, Sequence[float], str]], none: str) -> list[str]:
    """The changes that are known, the surest first, in sentences."""
    found = []
    for comparison, adjusted, scenario in known:
        for contrast, p_value in zip(comparison.contrasts, adjusted, strict=True):
            if p_value <= FOUND and contrast.change.value:
                value, interval = change_in_words(contrast, comparison)
                falls = "rises" if contrast.change.value > 0 else "falls"
                found.append((p_value, f"{scenario}{_name(contrast)} {falls}: {value} ({interval})."))
    found.sort(key=lambda each: each[0])
    more = len(found) - _MOST
    lines = [line for _, line in found[:_MOST]]
    return [*lines, *([f"{more} more lines of the tables are known to change."] if more > 0 else [])] or [f"{none}."]


def _name(contrast: Contrast) -> str:
    return escaped_line(f"{section(contrast)}: {heading(contrast)}")
