"""The page of a policy: facts from its file, its weights and its measured behaviour, as Markdown."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wallsim.analysis.behaviour.measures import RESULT, VP, WINS, Measure
from wallsim.analysis.behaviour.moves import Move
from wallsim.analysis.behaviour.profiles import PLAIN, is_plain, standardised
from wallsim.analysis.behaviour.tables import PolicyProfile
from wallsim.analysis.games.summary import table_assumptions
from wallsim.engine.version import ENGINE_VERSION
from wallsim.experiment.experiment import Experiment, identity
from wallsim.folder.layout import AS_SHIPPED, BOARD
from wallsim.folder.run_store import facts_of
from wallsim.markdown import code, literal, markdown_table, paragraph
from wallsim.policies.catalogue import ALIASES, Policy, is_policy_file, is_shipped_name, load_policy
from wallsim.policies.exploitability import WAYS, Exploited, load_ways
from wallsim.policies.weights import WEIGHTS
from wallsim.report.tables.behaviour import doubtful_section, moves_section, openings_words
from wallsim.report.tables.estimates import NOTHING, bounded, ends, in_words, of_measure, share, share_ends
from wallsim.rules.files import data_folder, read_input, read_toml
from wallsim.rules.other_settings import SETUP_WORDS, settings_line
from wallsim.rules.terms import ROUND_NAMES
from wallsim.rules.tower import load_tower
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence

_FOREMOST = 5  # the most measures that are named as differences
_ABSOLUTE = re.compile(r"(?<![^\s'\",=])~?/(?:[^\s/'\",]+/)+")  # folders before a name, as in the command of a tuning


@dataclass(frozen=True)
class Origin:
    """The origin of a policy: one line of description, its file, and the paragraphs of the file's comments."""

    description: str = ""
    file: str = ""
    notes: tuple[str, ...] = ()


def origin_of(name_or_path: str) -> Origin:
    """The origin of a policy as `load_policy` names it: description and comments of TOML, the docstring of Python.

    A file that cannot be parsed gives neither, since loading the policy reports its errors. OSError if it cannot be
    read.
    """
    home = data_folder("policies")
    path = Path(name_or_path) if is_policy_file(name_or_path) else home / f"{name_or_path}.toml"
    text = read_input(path).decode("utf-8", "replace")
    try:
        if path.suffix == ".py":
            first, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
            notes = [" ".join(part.split()) for part in rest.split("\n\n") if part.strip()]
            return Origin(first, _shown(path), tuple(notes))
        return Origin(str(read_toml(text).get("description", "")), _shown(path), tuple(_comments(text)))
    except (ValueError, SyntaxError, RecursionError):
        return Origin(file=_shown(path))


def _comments(text: str) -> list[str]:
    # Whole-line comments; those on consecutive lines are one paragraph.
    paragraphs: list[list[str]] = []
    fresh = True
    for line in text.splitlines():
        if line.startswith("#"):
            if fresh:
                paragraphs.append([])
            paragraphs[-1].append(line.lstrip("# ").rstrip())
        fresh = not line.startswith("#")
    return [_ABSOLUTE.sub("", " ".join(filter(None, lines))) for lines in paragraphs if any(lines)]


def _shown(path: Path) -> str:
    inside = path.resolve().parent == data_folder("policies").resolve()
    return f"data/policies/{path.name}" if inside else path.name  # a page is for others, too: no path of this machine


def policy_page(
    profile: PolicyProfile,
    origin: Origin,
    experiment: Experiment,
    seed: int,
    moves: Sequence[Move] = (),
    doubtful: Sequence[Estimate] = (),
) -> str:
    """The whole page. `experiment` is the set-up in which the profile was measured, `seed` that of its games.

    `moves` say how much wins fall when a weight is moved, `doubtful` how often moves are doubtful; without them the
    page has no such section.
    """
    policy = profile.policy
    parts = [
        f"# Policy {code(policy.name)}",
        *([paragraph(line)] if (line := settings_line(experiment.components().settings())) else []),
        *([paragraph(origin.description)] if origin.description else []),
        _facts(policy, origin),
        *(["## Comments in its file", "\n\n".join(map(paragraph, origin.notes))] if origin.notes else []),
        "## Strength",
        _strength(profile, experiment),
        exploitability_words(policy, experiment.players, load_ways()),
        "## Behaviour",
        behaviour_words(profile),
        behaviour_table(profile),
        *([openings_words(profile.openings)] if profile.openings is not None else []),
        markdown_table(
            ["what is measured", "meaning"], [[measure.name, measure.meaning] for measure in profile.measures]
        ),
        *(["## Doubtful moves", doubtful_section(policy.name, doubtful)] if doubtful else []),
        "## Weights",
        weights_table(policy, profile.host),
        *([rounds_table(policy)] if policy.weights else []),
        *([counties_table(policy)] if policy.counties else []),
        *(["## When a weight is moved", moves_section(policy.name, moves)] if moves else []),
        "## Assumptions",
        "\n".join(f"- {paragraph(line)}" for line in _assumptions(profile, experiment, seed)),
    ]
    return "\n\n".join(parts) + "\n"


def weights_table(policy: Policy, host: Policy) -> str:
    """Every weight of a policy: value, the host's value, difference, unit, bounds and meaning; a sentence if none.

    A weight that is not the same in all rounds has its smallest and largest value, and no difference.
    """
    if not policy.weights:
        return "It has no weights."
    known = {weight.name: weight for weight in WEIGHTS}
    compared = policy != host
    names = [*(name for name in known if name in policy.weights), *(n for n in policy.weights if n not in known)]
    varying, of_host = policy.varying_weights(), host.varying_weights()
    rows = []
    for name in names:
        value, theirs = policy.weights_in(0)[name], host.weights_in(0).get(name)
        cells = [f"`{name}`", _value(value, varying.get(name))]
        if compared:
            same = theirs is not None and name not in varying and name not in of_host
            cells.append(NOTHING if theirs is None else _value(theirs, of_host.get(name)))
            cells.append(_difference(value, theirs) if same and theirs is not None else NOTHING)
        weight = known.get(name)
        cells += [weight.unit, f"{weight.low:g} to {weight.high:g}", weight.meaning] if weight else [NOTHING] * 3
        rows.append(cells)
    beside = [code(host.name), "difference"] if compared else []
    return markdown_table(["weight", "value", *beside, "unit", "bounds", "meaning"], rows)


def rounds_table(policy: Policy) -> str:
    """The weights of a policy that are not the same in all rounds, with their value in each round; a sentence if none.

    The set-up counts as part of the first spring, each winter as part of the fall before it.
    """
    varying = policy.varying_weights()
    if not varying:
        return "Every weight is the same in all rounds."
    rows = [[f"`{name}`", *(f"{value:g}" for value in values)] for name, values in varying.items()]
    return markdown_table(["weight by round", *ROUND_NAMES], rows)


def counties_table(policy: Policy) -> str:
    """The worth of each county in the draft, by number of players, for policies with a table of counties."""
    names = dict.fromkeys(name for table in policy.counties.values() for name in table)
    rows = [[name, *(f"{table.get(name, 0.0):g}" for table in policy.counties.values())] for name in names]
    heads = [f"{players} players" for players in policy.counties]
    return markdown_table(["worth of a county in the draft, VP", *heads], rows)


def behaviour_table(profile: PolicyProfile) -> str:
    """Every measure, for the policy and for the host among copies of itself, their difference, and alone among hosts.

    The difference is standardised.
    """
    confidence, is_host = _confidence(profile), profile.policy == profile.host
    rows = []
    for measure in profile.measures:
        cells = [measure.name, measure.unit]
        if is_host:
            cells.append(of_measure(profile.hosts, measure, confidence))
        else:
            own, hosts = (of_measure(one, measure, confidence) for one in (profile.copies, profile.hosts))
            if measure.name == WINS:  # the fair share by definition
                own = hosts = NOTHING
            cells += [own, hosts, _apart(profile, measure, confidence), of_measure(profile.guest, measure, confidence)]
        rows.append(cells)
    name, host = code(profile.policy.name), code(profile.host.name)
    if is_host:
        return markdown_table(["measure", "unit", f"{name} among copies of itself"], rows)
    copies = "among copies of itself"
    heads = [f"{name} {copies}", f"{host} {copies}", "difference, SD", f"{name} alone among {host}"]
    return markdown_table(["measure", "unit", *heads], rows)


def behaviour_words(profile: PolicyProfile) -> str:
    """What the table shows, what its intervals mean, and in which measures the policy differs most from the host."""
    blocks = profile.hosts.blocks
    basis = f"Means over the seats it holds, {blocks:,} game numbers"
    confidence = _confidence(profile)
    if blocks < confidence.min_blocks:
        limits = f"{confidence.too_few(blocks, 'game numbers')} Draw no conclusions."
    else:
        limits = (
            f"± is half the width of an interval; all intervals of this page hold simultaneously with {LEVEL:.0%} "
            "confidence. A number without ± was the same in all game numbers."
        )
    if profile.policy == profile.host:
        return f"{basis}, every seat playing it. {limits}"
    host = code(profile.host.name)
    gaps = {
        measure.name: standardised(profile.copies, profile.hosts, measure.name)
        for measure in profile.measures
        if measure.group != RESULT
    }
    plain = [name for name, gap in gaps.items() if is_plain(gap, confidence)]
    plain.sort(key=lambda name: -abs(gaps[name].value))
    words = (
        f"{basis}, the same for all columns. SD: the difference among copies of itself in standard deviations between "
        f"seats and games; **bold** where the interval lies beyond {PLAIN}. {limits}"
    )
    if not plain:
        return f"{words}\n\nIt differs plainly from {host} in no measure of behaviour."
    named = ", ".join(f"{name} ({in_words(gaps[name].value, None, 1, '+')})" for name in plain[:_FOREMOST])
    count = f"{len(plain)} of {len(gaps)} measures of behaviour"
    return f"{words}\n\nIt differs plainly from {host} in {count}, most in: {named}."


def _strength(profile: PolicyProfile, experiment: Experiment) -> str:
    players, name, host = experiment.players, code(profile.policy.name), code(profile.host.name)
    if profile.policy == profile.host:
        points = of_measure(profile.hosts, _named(profile, VP), _confidence(profile))
        words = f"Others are compared with it. Among copies of itself a seat scores {points} victory points."
        return words + _jointly(profile, "±")
    wins, interval = profile.guest.estimates[WINS], profile.guest.interval(WINS, _confidence(profile))
    return (
        f"One seat of {name} among {players - 1} of {host}, in every seat equally often: "
        f"{bounded(wins.value, 1, 100.0)} % of wins ({ends(interval, 1, top=100.0)}); the fair share is "
        f"{100 / players:.1f} %. n: {profile.guest.blocks:,} game numbers, "
        f"{profile.guest.games:,} games, {literal(setting_words(experiment))}."
        f"{_jointly(profile, 'interval')}"
    )


def exploitability_words(policy: Policy, players: int, known: Mapping[tuple[str, int], Mapping[str, Exploited]]) -> str:
    """How far a policy can be beaten at tables of this size, by every way that is on record, the worst first.

    Only shipped policies have a record, not other files of the same name.
    """
    ways = known.get((ALIASES.get(policy.name, policy.name), players))
    if not ways or not is_shipped_name(policy.name) or policy != load_policy(policy.name):
        return f"Exploitability at tables of {players}: not measured (`wallsim exploit`)."
    lines = [
        f"- {WAYS[way]}{f', {code(result.response)}' if result.response else ''}: {_response_words(result)}"
        for way, result in ways.items()
    ]
    unknown = [words for way, words in WAYS.items() if way not in ways]
    return "\n".join(
        [
            f"Exploitability: the share of wins of one seat of the best response among {players - 1} copies of it; the "
            f"fair share is {share(1 / players)} %. A longer search may find more. By what the response may be:\n",
            *lines,
            *([f"- not measured: {'; '.join(unknown)}"] if unknown else []),
        ]
    )


def _response_words(result: Exploited) -> str:
    facts = [
        f"{int(result.games):,} held-out games" if result.games else "",
        f"found in {result.minutes} CPU minutes" if result.minutes not in ("", "0.0") else "",
        f"set-up {result.setup}" if result.setup else "",
        f"tower {result.tower}" if result.tower else "",
        f"engine version {result.engine}" if result.engine else "",
    ]
    about = "; ".join(filter(None, facts))
    return f"{share(result.share)} % ({share_ends(result.interval)}){f', {about}' if about else ''}"


def _jointly(profile: PolicyProfile, name: str) -> str:
    if profile.hosts.blocks < _confidence(profile).min_blocks:
        return ""
    return f" The {name} is one of all on this page, which hold simultaneously with {LEVEL:.0%} confidence."


def setting_words(experiment: Experiment) -> str:
    """The conditions of an experiment in words: players, set-up, edition, expansions, tower, engine version."""
    setup, tower = SETUP_WORDS[experiment.setup], load_tower(experiment.tower).name
    expansions = f", expansions {', '.join(experiment.expansions)}" if experiment.expansions else ""
    return (
        f"{experiment.players} players, {setup}, edition {experiment.edition}{expansions}, tower {tower}, "
        f"engine version {ENGINE_VERSION}"
    )


def _assumptions(profile: PolicyProfile, experiment: Experiment, seed: int) -> list[str]:
    parts = experiment.components()
    facts = {
        "experiment": {"identity": identity(experiment, parts)},
        **facts_of(parts, AS_SHIPPED if experiment.board is None else BOARD),
    }
    played = profile.hosts.games
    if profile.policy != profile.host:
        played += profile.copies.games + profile.guest.games
    return [
        f"Games: {played:,}, numbers 0 to {profile.hosts.blocks - 1} of seed {seed}; {setting_words(experiment)}.",
        *table_assumptions(facts),
        "All players are programs: behaviour and wins may differ against other programs and among people.",
    ]


def _facts(policy: Policy, origin: Origin) -> str:
    count, varying = len(policy.weights), len(policy.varying_weights())
    by_round = f", {varying} of them not the same in all rounds" if varying else ""
    rows = [["kind", f"`{policy.kind}`"], ["weights", f"{count}{by_round}" if count else "none"]]
    if policy.counties:
        tables = ", ".join(f"{len(table)} at tables of {players}" for players, table in policy.counties.items())
        rows.append(["counties with a worth", tables])
    if policy.correction is not None:
        models = ", ".join(policy.correction.contents["models"])
        rows.append(["correction of worths", f"{code(policy.correction.said)}, taught for tables of {models}"])
    if policy.search is not None:
        fields = ", ".join(f"{name} {value}" for name, value in policy.search.fields().items())
        rows.append(["search", literal(fields)])
    if policy.answers:
        rows.append(["custom answers", ", ".join(f"`{question}`" for question in policy.answers)])
    if origin.file:
        rows.append(["file", code(origin.file)])
    return markdown_table(["name", code(policy.name)], rows)


def _confidence(profile: PolicyProfile) -> Confidence:
    columns = 1 if profile.policy == profile.host else 4
    return Confidence(LEVEL, columns * len(profile.measures))


def _apart(profile: PolicyProfile, measure: Measure, confidence: Confidence) -> str:
    if measure.name == WINS:
        return NOTHING
    gap = standardised(profile.copies, profile.hosts, measure.name)
    words = in_words(gap.value, gap.interval(confidence), 2, "+")
    return f"**{words}**" if is_plain(gap, confidence) else words


def _named(profile: PolicyProfile, name: str) -> Measure:
    return next(measure for measure in profile.measures if measure.name == name)


def _value(value: float, by_round: tuple[float, ...] | None) -> str:
    return f"{value:g}" if by_round is None else f"{min(by_round):g} to {max(by_round):g}"


def _difference(value: float, other: float) -> str:
    gap = round(value - other, 9)
    return f"{gap:+g}".replace("-", "−") if gap else "0"
