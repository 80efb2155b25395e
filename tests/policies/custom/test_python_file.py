"""Policies as Python files: what is read from one, and what is wrong with a bad one, by file, line or name."""

import hashlib
import sys

import pytest

from wallsim.jit import NotCompiledError
from wallsim.policies.catalogue import PolicyError, listed_names, load_policy, pack_players, read_policy
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.record import BALANCED
from wallsim.policies.search import Search

BID = "def bid(game, rules, mind, seat):\n    return mind.plan[10]\n"


def write(tmp_path, text, name="mine.py"):
    """The path of a file with this text."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def error_of(tmp_path, text):
    """What is said of a file; every line names it."""
    path = write(tmp_path, text)
    with pytest.raises(PolicyError) as caught:
        read_policy(path)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}: ") for line in lines)
    return "\n".join(line.removeprefix(f"{path}: ") for line in lines)


# ---------------------------------------------------------------------------------------------- what is read


def test_a_file_with_one_answer_plays_as_balanced_else(tmp_path):
    policy = read_policy(write(tmp_path, '"""Bids\n    as it likes."""\n' + BID))
    assert (policy.name, policy.kind, policy.search) == ("mine", "python", None)
    assert policy.weights == load_policy("balanced").weights
    assert policy.description == "Bids\nas it likes."
    assert list(policy.answers) == ["bid"]
    assert policy.answers["bid"].question.name == "bid"


def test_base_and_weights_are_the_files_own(tmp_path):
    policy = read_policy(write(tmp_path, f'BASE = "builder"\nWEIGHTS = {{"attack": 0.125}}\n{BID}'))
    assert policy.weights == {**load_policy("builder").weights, "attack": 0.125}


def test_of_a_searching_base_the_weights_are_taken_and_not_the_search(tmp_path):
    policy = read_policy(write(tmp_path, f'BASE = "rollout"\n{BID}'))
    assert (policy.kind, policy.search) == ("python", None)
    assert policy.weights == load_policy("rollout").weights


def test_its_digest_is_part_of_what_it_is(tmp_path):
    first = read_policy(write(tmp_path, BID))
    again = read_policy(write(tmp_path, BID))
    other = read_policy(write(tmp_path, BID + "# and a comment\n"))
    assert first.identity()["code"] == hashlib.sha256(BID.encode()).hexdigest()
    assert first.identity() == again.identity() != other.identity()
    assert first == again != other


def test_a_file_that_changes_within_the_blink_of_an_eye_is_read_again(tmp_path):
    """Bytecode beside the file would be stale: it is known by the second and the length."""
    for value in range(5):
        text = f'WEIGHTS = {{"attack": 0.{value}}}\n{BID}'
        assert read_policy(write(tmp_path, text)).weights["attack"] == value / 10
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"], "nothing is left beside it"


def test_what_begins_with_an_underscore_or_was_imported_or_is_a_kernel_is_no_answer(tmp_path):
    text = (
        "import math\nfrom textwrap import dedent\nfrom wallsim.jit import kernel, lowest_bit\n"
        "def _plain():\n    pass\n@kernel\ndef helper(x):\n    return x\nclass Thing:\n    pass\nNUMBER = 3\n"
    )
    assert list(read_policy(write(tmp_path, text + BID)).answers) == ["bid"]


def test_an_answer_may_be_a_kernel(tmp_path):
    policy = read_policy(write(tmp_path, "from wallsim.jit import kernel\n@kernel\n" + BID))
    assert list(policy.answers) == ["bid"]


def test_every_question_may_be_answered(tmp_path):
    text = "".join(
        f"def {question.name}({', '.join(('game', 'rules', 'mind', 'seat', *question.details))}):\n    return 0\n"
        for question in QUESTIONS
    )
    assert list(read_policy(write(tmp_path, text)).answers) == [question.name for question in QUESTIONS]


def test_details_may_have_other_names(tmp_path):
    text = "def attack(table, law, me, chair, here, there):\n    me.armies = 0\n"
    assert list(read_policy(write(tmp_path, text)).answers) == ["attack"]


# ---------------------------------------------------------------------------------------------------- errors


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PolicyError, match=r"nobody\.py: cannot be read: No such file"):
        read_policy(tmp_path / "nobody.py")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(PolicyError, match=r"folder\.py: cannot be read: Is a directory"):
        read_policy(tmp_path / "folder.py")


@pytest.mark.parametrize("text", ["", '"""Only words."""', "N = 3\ndef _bid(game, rules, mind, seat):\n    return 0"])
def test_a_file_without_answers_is_reported_which_there_are(tmp_path, text):
    error = error_of(tmp_path, text)
    assert error.startswith("answers no question; allowed are functions named plan, bid, place, move, attack, ")


def test_a_public_function_that_answers_nothing_is_named(tmp_path):
    error = error_of(tmp_path, "def attak(game, rules, mind, seat, county, targets):\n    pass\n" + BID)
    assert error.startswith("attak: answers no question; allowed are plan, bid, ")
    assert "decorated with `kernel`" in error


@pytest.mark.parametrize(
    ("head", "result"),
    [
        ("bid(game, rules)", "game, rules"),
        ("bid()", ""),
        ("bid(game, rules, mind, seat, county)", "game, rules, mind, seat, county"),
        ("bid(game, rules, mind, seat, more=0)", "game, rules, mind, seat, more"),
        ("bid(*everything)", "everything"),
    ],
)
def test_wrong_arguments_are_named_with_those_allowed(tmp_path, head, result):
    error = error_of(tmp_path, f"def {head}:\n    return 0\n")
    assert error == f"bid: takes ({result}); allowed is (game, rules, mind, seat)"


@pytest.mark.parametrize(
    "line", ["bid = 3", "from wallsim.policies.balanced.plan import choose_plan as plan", "import json as place"]
)
def test_what_bears_the_name_of_a_question_must_answer_it(tmp_path, line):
    name = line.split()[0] if line.startswith("bid") else line.split()[-1]
    answer = "" if name == "bid" else BID
    assert error_of(tmp_path, f"{line}\n{answer}").startswith(f"{name}: ")
    assert "is not a function of this file" in error_of(tmp_path, f"{line}\n{answer}")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("\n\nraise ValueError('no')\n", 3, "ValueError: no"),
        ("import math\nnumber = 1 / 0\n", 2, "ZeroDivisionError: division by zero"),
        ("import nothing_of_the_kind\n", 1, "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("def inner():\n    return unknown\n\ninner()\n", 2, "NameError: name 'unknown' is not defined"),
        ("\ndef bid(game\n", 2, "SyntaxError: "),
        ("\n\n  x = 1\n", 3, "IndentationError: "),
        ("import sys\nsys.exit(0)\n", 2, "SystemExit: 0"),
        ("from wallsim.rules.terms import NO_SUCH\n", 1, "ImportError: cannot import name 'NO_SUCH'"),
    ],
)
def test_an_error_while_the_file_is_run_is_named_with_its_line(tmp_path, text, line, what):
    error = error_of(tmp_path, text)
    assert error.startswith(f"line {line}: {what}")
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert f"wallsim_policy_mine_{digest}" not in sys.modules


@pytest.mark.parametrize("text", [b"\xff\xfe", b"x = '\x00'"])
def test_bytes_that_are_no_python_are_refused(tmp_path, text):
    assert "Error: " in error_of(tmp_path, text)


def test_an_interruption_is_no_error_of_the_file(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        read_policy(write(tmp_path, "raise KeyboardInterrupt\n"))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("BASE = 3", "BASE: 3 is not the name of a policy"),
        ("BASE = None", "BASE: None is not the name of a policy"),
        ("BASE = 'nobody'", f"base: 'nobody' is not one of {', '.join(listed_names())}"),
        ("WEIGHTS = 3", "WEIGHTS: 3 is not a dict of weights by name"),
        ("WEIGHTS = {'attack': 9}", "weights.attack: 9 is not a number from -0.5 to 3.0"),
        ("WEIGHTS = {'attack': None}", "weights.attack: None is not a number from -0.5 to 3.0"),
    ],
)
def test_a_bad_base_or_weight_is_named(tmp_path, line, error):
    assert error_of(tmp_path, f"{line}\n{BID}") == error


def test_random_is_no_base_here_either(tmp_path):
    assert error_of(tmp_path, f"BASE = 'random'\n{BID}").startswith("base: 'random' has no weights; ")


def test_unknown_weights_of_any_kind_are_named(tmp_path):
    error = error_of(tmp_path, f"WEIGHTS = {{'bravery': 1, 3: 4, None: 5}}\n{BID}")
    assert [line.split(":")[0] for line in error.splitlines()] == ["weights.3", "weights.None", "weights.bravery"]


def test_every_error_of_a_file_is_named_at_once(tmp_path):
    error = error_of(tmp_path, "BASE = 1\nWEIGHTS = 2\nplan = 3\ndef bid():\n    pass\ndef other():\n    pass\n")
    assert [line.split(":")[0] for line in error.splitlines()] == ["BASE", "WEIGHTS", "plan", "bid", "other"]


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
    policy = read_policy(write(tmp_path, f"def bid(game, rules, mind, seat):\n    {body}\n"))
    with pytest.raises(NotCompiledError):
        policy.answers["bid"].address()
    with pytest.raises(PolicyError) as caught:
        pack_players([load_policy("balanced"), policy])
    message = str(caught.value)
    assert message.startswith("mine: bid: Numba cannot compile it:\n")
    assert word in message
    assert len(message.splitlines()) <= 13


def test_a_packed_answer_has_the_address_of_its_function(tmp_path):
    policy = read_policy(write(tmp_path, BID))
    packed = pack_players([load_policy("balanced"), policy, policy])
    number = [question.name for question in QUESTIONS].index("bid")
    asked = packed[0].seat["custom_answer"]
    assert asked[0].tolist() == [0] * len(QUESTIONS)
    assert asked[1, number] == asked[2, number] == policy.answers["bid"].address() != 0
    assert (asked[1] != 0).sum() == 1
    assert packed[0].seat["custom"].tolist() == [0, 1, 1, 0, 0]
    assert packed[0].seat["kind"][1] == BALANCED


def test_a_search_is_not_a_thing_of_python_files(tmp_path):
    policy = read_policy(write(tmp_path, f"SEARCH = {Search().fields()}\n{BID}"))
    assert policy.search is None
