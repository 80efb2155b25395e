"""Policies as Python files: what is read from one, and what is wrong with a bad one, by file, line or name."""

import hashlib
import sys

import pytest

from tests.policies import policy_files
from tests.refusals import assert_names, refused
from wallsim.jit import NotCompiledError
from wallsim.policies.catalogue import PolicyError, listed_names, load_policy, pack_players, read_policy
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.record import BALANCED
from wallsim.policies.search import Search

NAMES = [question.name for question in QUESTIONS]
BID = "def bid(game, rules, mind, seat):\n    return mind.plan[10]\n"


def read(folder, text):
    """The policy of a Python file with this text."""
    return policy_files.read(folder, text, "mine.py")


def errors_of(folder, text):
    """All that is wrong with such a file, a line each, without the file's name."""
    return policy_files.errors_of(folder, text, "mine.py")


def assert_errors(folder, text, *errors):
    """Assert that these errors are found and no others, in this order, each by its key and what else it names."""
    policy_files.assert_errors(folder, text, *errors, name="mine.py")


# ---------------------------------------------------------------------------------------------- what is read


@pytest.mark.parametrize("base", ["balanced", "builder", "rollout"])
def test_a_file_with_one_answer_plays_by_the_weights_of_its_base_else(tmp_path, base):
    """And of a base that searches without the search."""
    text = f'"""Bids\n    wildly."""\nBASE = "{base}"\nWEIGHTS = {{"attack": 0.125}}\nSEARCH = {Search().fields()}\n'
    policy = read(tmp_path, text.replace('BASE = "balanced"\n', "") + BID)
    assert (policy.name, policy.kind, policy.search) == ("mine", "python", None)
    assert policy.weights == {**load_policy(base).weights, "attack": 0.125}
    assert policy.description == "Bids\nwildly."
    assert [(name, answer.question.name) for name, answer in policy.answers.items()] == [("bid", "bid")]


def test_its_digest_is_part_of_what_it_is(tmp_path):
    first = read(tmp_path, BID)
    again = read(tmp_path, BID)
    other = read(tmp_path, BID + "# and a comment\n")
    assert first.identity()["code"] == hashlib.sha256(BID.encode()).hexdigest()
    assert first.identity() == again.identity() != other.identity()
    assert first == again != other


def test_a_file_that_changes_within_the_blink_of_an_eye_is_read_again(tmp_path):
    """Bytecode beside the file would be stale: it is known by the second and the length."""
    for value in range(5):
        text = f'WEIGHTS = {{"attack": 0.{value}}}\n{BID}'
        assert read(tmp_path, text).weights["attack"] == value / 10
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"], "nothing is left beside it"


IMPORTS = "import math\nfrom textwrap import dedent\nfrom wallsim.jit import kernel, lowest_bit\n"
HELPERS = "def _plain():\n    pass\n@kernel\ndef helper(x):\n    return x\nclass Thing:\n    pass\nNUMBER = 3\n"
EVERY_ANSWER = "".join(
    f"def {question.name}({', '.join(('game', 'rules', 'mind', 'seat', *question.details))}):\n    return 0\n"
    for question in QUESTIONS
)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (IMPORTS + HELPERS + BID, ["bid"]),
        (f"{IMPORTS}@kernel\n{BID}", ["bid"]),
        (EVERY_ANSWER, NAMES),
        ("def attack(table, law, me, chair, here, there):\n    me.armies = 0\n", ["attack"]),
    ],
    ids=["helpers and imports are none", "a kernel may be one", "every question", "details of other names"],
)
def test_functions_that_bear_the_name_of_a_question_are_answers(tmp_path, text, answers):
    assert list(read(tmp_path, text).answers) == answers


# ---------------------------------------------------------------------------------------------------- errors


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "folder.py").mkdir()
    for name in ("nobody.py", "folder.py"):
        with refused(tmp_path / name, "cannot be read", by=PolicyError):
            read_policy(tmp_path / name)


@pytest.mark.parametrize("text", ["", '"""Only words."""', "N = 3\ndef _bid(game, rules, mind, seat):\n    return 0"])
def test_a_file_without_answers_is_reported_which_there_are(tmp_path, text):
    [error] = errors_of(tmp_path, text)
    assert_names(error, ", ".join(NAMES))


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("def attak(game):\n    pass\n" + BID, [("attak", ", ".join(NAMES), "`kernel`")]),
        *(
            (f"def bid({head}):\n    return 0\n", [("bid", f"({taken})", "(game, rules, mind, seat)")])
            for head, taken in (
                ("", ""), ("*everything", "everything"),
                ("game, rules, mind, seat, more=0", "game, rules, mind, seat, more"),
            )
        ),
        ("bid = 3\n", [("bid", "function")]),
        (f"from wallsim.policies.balanced.plan import choose_plan as plan\n{BID}", [("plan", "function")]),
        (f"BASE = None\n{BID}", [("BASE", "None")]),
        (f"BASE = 'nobody'\n{BID}", [("base", "'nobody'", ", ".join(listed_names()))]),
        (f"BASE = 'random'\n{BID}", [("base", "'random'", "weights")]),
        (f"WEIGHTS = 3\n{BID}", [("WEIGHTS", "3")]),
        (f"WEIGHTS = {{'attack': None}}\n{BID}", [("weights.attack", "None", "-0.5 to 3.0")]),
        (f"WEIGHTS = {{'bravery': 1, 3: 4}}\n{BID}", [("weights.3",), ("weights.bravery",)]),
        (
            "BASE = 1\nWEIGHTS = 2\nplan = 3\ndef bid():\n    pass\ndef other():\n    pass\n",
            [("BASE",), ("WEIGHTS",), ("plan",), ("bid",), ("other",)],
        ),
    ],
)  # fmt: skip
def test_every_error_is_named_by_name_value_and_what_is_allowed(tmp_path, text, errors):
    assert_errors(tmp_path, text, *errors)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("\n\nraise ValueError('no')\n", 3, "ValueError: no"),
        ("def inner():\n    return unknown\n\ninner()\n", 2, "NameError: name 'unknown'"),
        ("\ndef bid(game\n", 2, "SyntaxError: "),
        ("import sys\nsys.exit(0)\n", 2, "SystemExit: 0"),
    ],
)
def test_an_error_while_the_file_is_run_is_named_with_its_line(tmp_path, text, line, what):
    [error] = errors_of(tmp_path, text)
    assert error.startswith(f"line {line}: {what}")
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert f"wallsim_policy_mine_{digest}" not in sys.modules


@pytest.mark.parametrize("text", [b"\xff\xfe", b"x = '\x00'"])
def test_bytes_that_are_no_python_are_refused(tmp_path, text):
    assert "Error: " in errors_of(tmp_path, text)[0]


def test_an_interruption_is_no_error_of_the_file(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        read(tmp_path, "raise KeyboardInterrupt\n")


# ------------------------------------------------------------------------------------------------- compiling


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return mind.nothing", "nothing"),
        ("return unknown_thing", "unknown_thing"),
        ("return [seat, 'two']", "bid"),
        ("import os\n    return len(os.listdir())", "IMPORT_NAME"),
    ],
)
def test_what_cannot_be_compiled_is_named_with_the_compilers_words(tmp_path, body, word):
    policy = read(tmp_path, f"def bid(game, rules, mind, seat):\n    {body}\n")
    with pytest.raises(NotCompiledError):
        policy.answers["bid"].address()
    with pytest.raises(PolicyError) as caught:
        pack_players([load_policy("balanced"), policy])
    message = str(caught.value)
    assert message.startswith("mine: bid: Numba ")
    assert word in message
    assert len(message.splitlines()) <= 13


def test_a_packed_answer_has_the_address_of_its_function(tmp_path):
    policy = read(tmp_path, BID)
    packed = pack_players([load_policy("balanced"), policy, policy])
    number = NAMES.index("bid")
    asked = packed[0].seat["custom_answer"]
    assert asked[0].tolist() == [0] * len(QUESTIONS)
    assert asked[1, number] == asked[2, number] == policy.answers["bid"].address() != 0
    assert (asked[1] != 0).sum() == 1
    assert packed[0].seat["custom"].tolist() == [0, 1, 1, 0, 0]
    assert packed[0].seat["kind"][1] == BALANCED
