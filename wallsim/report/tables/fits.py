"""The fit of a tower as text: the log, the estimates with errors, the comparison of models, the nearest preset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import isinf
from pathlib import Path

from rich.console import Console

from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.fitted_models import Fits, Nearness, play_texts
from wallsim.analysis.tower.fitting import FRAILTY_RATIO, NO_LIMIT, Fit, LikelihoodRatio
from wallsim.analysis.tower.floors import LayeredFit
from wallsim.analysis.tower.for_play import ForPlay
from wallsim.report.tables.columns import Column, Document, headings_of, texts_of
from wallsim.report.tables.console import print_lines, print_table
from wallsim.report.tables.estimates import how_many

ESTIMATES = ("model", "number", "estimate", "error", "95 % interval")
NEAREST_FOOT = (
    "Misfit: by how much twice the log-likelihood of the log's statistics falls short of the nearest preset's; less "
    "than 5 is weak evidence. p: share of logs simulated with the preset that fit it no better."
)
_WEAK_EVIDENCE = 5.0
NEAREST = (
    Column("name", "tower"),
    Column("misfit", "misfit", text=lambda tower: "too full" if isinf(tower.misfit) else f"{tower.misfit:.1f}"),
    Column("p_value", "p", text=lambda tower: _p(tower.p_value)),
    Column("log_likelihood", "log-likelihood",
           text=lambda tower: "–" if tower.log_likelihood is None else f"{tower.log_likelihood:.1f}"),
)  # fmt: skip
_SMALLEST_P = 1e-4


def log_lines(log: CastLog) -> list[str]:
    """The contents of a log, one line each, its notes last."""
    casts = log.casts()
    sessions = len(dict.fromkeys(log.session))
    thrown, fallen = int(casts.thrown.sum()), int(casts.fallen.sum())
    lines = [
        f"{how_many(len(casts.event), 'cast')} in {how_many(sessions, 'session')}, "
        f"{how_many(len(log.colours), 'colour')} ({', '.join(log.colours)}): "
        f"{how_many(thrown, 'cube')} thrown, {fallen:,} fell out. All cubes are accounted for."
    ]
    return lines + [f"Note: {note}." for note in log.notes]


def print_fit(console: Console, fits: Fits, nearest: Sequence[Nearness], chosen: str) -> None:
    """Print the estimates of all models, what follows from them, the tower for play, and the nearest presets."""
    models = _models(fits)
    print_table(console, ESTIMATES, [row for name in models for row in estimate_rows(name, fits.of(name))])
    print_lines(console, ["", *conclusion_lines(fits), "", *play_lines(fits, chosen), ""])
    if nearest:
        print_table(console, headings_of(NEAREST), texts_of(NEAREST, nearest))
        print_lines(console, [NEAREST_FOOT, "", nearest_line(nearest)])


def _models(fits: Fits) -> list[str]:
    return ["independent", "urn", *(["layered"] if fits.layered is not None else [])]


def estimate_rows(model: str, fit: Fit | LayeredFit) -> list[tuple[str, ...]]:
    """One row per parameter: model, name, estimate, standard error and 95 % interval."""
    estimates = (*fit.estimates, *(fit.combined if isinstance(fit, LayeredFit) else ()))
    return [
        (
            "" if place else model,
            estimate.name,
            _number(estimate.value),
            "–" if estimate.error is None or estimate.value >= NO_LIMIT else _number(estimate.error),
            _interval(estimate.low, estimate.high),
        )
        for place, estimate in enumerate(estimates)
    ]


def conclusion_lines(fits: Fits) -> list[str]:
    """Which model the log supports, how well the layered tower describes it, and what the log could not determine."""
    lines = [_ratio(fits.ratio), *_uneven(fits)]
    all_fits: list[Fit | LayeredFit] = [fits.independent, fits.urn]
    if fits.layered is not None:
        lines.append(_misfit(fits.layered))
        all_fits.append(fits.layered)
    return lines + [f"Note: {note}." for fit in all_fits for note in fit.notes]


def play_lines(fits: Fits, model: str) -> list[str]:
    """The numbers of the tower for play, the prior that pulled them to the presets, and the cubes inside."""
    play = fits.for_play[model]
    numbers = ", ".join(f"{name} {_listed(value)}" for name, value in asdict(play.parameters).items())
    texts = play_texts(fits.of(model), play)
    return [f"For play, {model}: {numbers}.", *(f"{text[0].upper()}{text[1:]}." for text in texts)]


def _listed(value: float | tuple[float, ...]) -> str:
    return " ".join(map(_number, value)) if isinstance(value, tuple) else _number(value)


def _ratio(ratio: LikelihoodRatio) -> str:
    """The test of urn against independent, in a sentence."""
    conclusion = (
        "the urn fits significantly better"
        if ratio.prefers_larger
        else "filling and load give no evidence against independent"
    )
    return (
        f"Urn against independent: likelihood ratio {ratio.statistic:.1f}, 5 % point {ratio.limit:.2f} "
        f"({how_many(ratio.freedom, 'degree')} of freedom), p {_p(ratio.p_value)}: {conclusion}."
    )


def _uneven(fits: Fits) -> list[str]:
    if fits.uneven <= FRAILTY_RATIO:
        return []
    return [
        f"Casts vary more than independent allows: likelihood ratio of phi {fits.uneven:.1f}, 5 % point "
        f"{FRAILTY_RATIO}. Only the urn models such casts."
    ]


def nearest_line(towers: Sequence[Nearness]) -> str:
    """Which preset is nearest, and which others the log can hardly distinguish from it."""
    as_near = [tower.name for tower in towers[1:] if tower.misfit < _WEAK_EVIDENCE]
    others = f"; the log can hardly distinguish it from {', '.join(as_near)}" if as_near else ""
    return f"Nearest preset: {towers[0].name}{others}."


def _misfit(fit: LayeredFit) -> str:
    """How well the layered tower describes the log, in a sentence."""
    conclusion = (
        "such a tower may have produced the log"
        if fit.p_value >= 0.05
        else "such a tower is unlikely to have produced it"
    )
    return (
        f"Layered: misfit {fit.misfit:.1f} over {fit.statistics} statistics, p {_p(fit.p_value)}: {conclusion} "
        f"({fit.simulations:,} simulated logs)."
    )


def fit_document(fits: Fits, nearest: Sequence[Nearness], model: str, file: Path, notes: Sequence[str]) -> Document:
    """The fits to a log of casts, the likelihood-ratio test, the nearest presets, and the tower file written."""
    models = _models(fits)
    return {
        "model": model,
        "file": file,
        "level": 0.95,
        "fits": {name: {"estimates": fits.of(name).estimates, "notes": fits.of(name).notes} for name in models},
        "likelihood_ratio": fits.ratio,
        "uneven": fits.uneven,
        "for_play": {name: _played(fits.for_play[name]) for name in models},
        "nearest": nearest,
        "notes": notes,
    }


def _played(play: ForPlay) -> Document:
    return {
        "numbers": play.parameters,
        "contents": play.contents,
        "contents_interval": (play.least, play.most),
        "prior": {pull.name: dict(zip(("median", "low", "high"), pull.range(), strict=True)) for pull in play.prior},
    }


def _p(value: float) -> str:
    return f"below {_SMALLEST_P:g}" if value < _SMALLEST_P else f"{value:.4f}"


def _number(value: float) -> str:
    return "no limit" if value >= NO_LIMIT else f"{value:.4g}"


def _interval(low: float, high: float) -> str:
    if isinf(low) and isinf(high):
        return "unknown"
    if isinf(low):
        return f"{_number(high)} or less"
    if high >= NO_LIMIT:
        return f"{_number(low)} or more"
    return f"{_number(low)} to {_number(high)}"
