"""What decides the figures of a study is in its digest; what is no design is refused before anything is played."""

from importlib import import_module

import pytest

from tests.analyses.studies import LINES, look
from tests.refusals import refused
from wallsim.analyses.draft import deals as draft
from wallsim.analyses.ladder import estimates as ladder
from wallsim.analysis.claims.cells import STRONG_POLICY, TOWERS, default_plays
from wallsim.studies.catalogue import load_study
from wallsim.studies.running import digest_of
from wallsim.studies.study import Choices
from wallsim.studies.two_lines import Plays

QUICK = Choices(quick=True)


def chosen(games=None, **options):
    return Choices(games, options=options)


def always(value):
    return lambda: value


LADDER = {"blocks": "24", "searches": "4", "policies": "balanced,conqueror,random,builder", "second": "banker"}
CHOSEN = {
    "casual": (chosen(), chosen(9), chosen(policies="builder")),
    "draft": (chosen(600), QUICK),
    "editions": (QUICK,),
    "expansions": (QUICK,),
    "first_look": (chosen(**LINES), chosen(120, **LINES), chosen(**{**LINES, "strong": "farmer"}),
                   chosen(**{**LINES, "second": "farmer"})),
    "ladder": (chosen(**LADDER), chosen(**{**LADDER, "blocks": "48"})),
    "lineups": (Choices(24, True), Choices(48, True)),
    "skill": (chosen(300, strong="conqueror"), chosen(5_000, strong="conqueror"), chosen(300, strong="heedless")),
    "tower": (chosen(40, **LINES), chosen(50, **LINES), chosen(40)),
}  # fmt: skip
# Modules whose towers are few here, since a digest of all is dear.
TOWERS_IN = {"first_look": ["first_look.study"], "tower": ["tower.played", "tower.study"]}
# Fields of the first of these designs, which are one more in another.
FIELDS = {"editions": ["others"], "expansions": ["others", "baseline"]}
# What studies read beside their design, with another value of it.
PARTS = [
    ("amounts", "amounts.estimates.held_always", lambda _: dict),
    ("casual", "casual.study.PEOPLE", lambda people: {**people, "built": (1.0,)}),
    ("draft", "draft.drafters.TABLE_CODE", lambda path: path.with_name("random_drafter.py")),
    ("editions", "editions.study.variants", lambda every: always(every()[:-1])),
    *(("expansions", f"expansions.effects.QUICK_{name}", lambda number: number + 1)
      for name in ("BOARDS", "TOURNAMENTS", "FAVOR_GAMES")),
    ("expansions", "expansions.study.variants", lambda every: always(dict(list(every().items())[1:]))),
    ("expansions", "expansions.study.treatments", lambda every: always(every() | {"given": "other"})),
    ("lineups", "lineups.games.read_fixes", lambda read: always([each._replace(points=()) for each in read()])),
]  # fmt: skip
REFUSED = [
    *((name, "policies", value) for name in ("casual", "zoo") for value in ("nobody", "random,nobody")),
    *(("first_look", name, "nobody") for name in LINES), ("first_look", "second", STRONG_POLICY),
    ("skill", "strong", "nobody"), ("ladder", "blocks", "0"), ("ladder", "second", "nobody"),
]  # fmt: skip


@pytest.mark.parametrize("name", CHOSEN)
def test_other_choices_are_another_study(monkeypatch, name):
    for module in TOWERS_IN.get(name, ()):
        few = {tower: TOWERS[tower] for tower in ("spielbyweb", "mid")}
        monkeypatch.setattr(f"wallsim.analyses.{module}.TOWERS", few)
    study = load_study(name)
    first, *others = (study.design(each) for each in CHOSEN[name])
    others += [first._replace(**{field: getattr(first, field) + 1}) for field in FIELDS.get(name, ())]
    digests = {digest_of(study, each) for each in (first, *others)}
    assert len(digests) == 1 + len(others) > 1


@pytest.mark.parametrize("name", ["casual", "skill"])
def test_the_same_choices_are_the_same_study(name):
    one, other = (digest_of(load_study(name), load_study(name).design(CHOSEN[name][0])) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("name", "part", "other"), PARTS, ids=[part for _, part, _ in PARTS])
def test_another_part_of_a_study_is_another_study(monkeypatch, name, part, other):
    study = load_study(name)
    design = study.design(QUICK)
    before, (module, _, attribute) = digest_of(study, design), f"wallsim.analyses.{part}".rpartition(".")
    monkeypatch.setattr(f"{module}.{attribute}", other(getattr(import_module(module), attribute)))
    assert digest_of(study, design) != before


@pytest.mark.parametrize(("name", "option", "value"), REFUSED)
def test_what_is_no_design_is_named_before_anything_is_played(tmp_path, name, option, value):
    with refused(value.rpartition(",")[2]):
        look(name, tmp_path / "runs", 2 if name != "ladder" else None, quick=False, **{option: value})
    assert not (tmp_path / "runs").exists()


def test_a_draft_of_too_few_dealt_games_is_refused():
    with refused("200", draft.LEAST_GAMES):
        draft.scope_of(chosen(200))


def test_the_two_ladders_are_two_parts_of_the_design():
    both, other = (ladder.design(each).tournaments for each in CHOSEN["ladder"])
    planned = (both, {**both, "draft": other["draft"]}, {"lineup": both["lineup"]})
    assert len({digest_of(load_study("ladder"), ladder.Design(each, [], {})) for each in planned}) == 3


def test_the_line_of_a_play_is_part_of_the_design():
    study, plays = load_study("first_look"), default_plays(*LINES.values())
    other = (*plays[:-1], plays[-1]._replace(line=plays[-2].line))
    assert digest_of(study, Plays(2, plays)) != digest_of(study, Plays(2, other))
