"""Rooms keep their size: a budget of lines for each folder of the package, and few small files."""

import ast
import re
from collections import Counter, defaultdict

import pytest

from tests.imports import import_graph
from tests.test_architecture import LAYERS, code_files, imported_name

# Lines of each room; a change that needs more changes the number and says why.
BUDGETS = {
    "compile_cache": 1_020, "rules": 3_540, "state": 800, "mechanics": 1_410, "policies": 6_780, "engine": 4_370,
    "trace": 4_840, "stats": 1_910, "experiment": 1_400, "folder": 6_140, "play": 4_280, "searches": 3_370,
    "analysis": 10_140, "report": 7_650, "analyses": 14_280, "studies": 4_200, "api": 3_340, "cli": 4_200,
}  # fmt: skip
MARGIN = 1.03
LINES_A_FILE = 130  # at least, in the mean of a room
UNFOLDED = {"state", "analyses"}  # rooms with more files than that


def sources():
    """The sources of the package and the studies by their dotted names."""
    return {imported_name(path): path.read_text("utf-8") for path in code_files("wallsim", "analyses")}


def sizes(texts):
    """The lines of each file by room; a file that lies in none has one of its own."""
    rooms = defaultdict(list)
    for module, text in texts.items():
        rooms[module.split(".")[1]].append(len(text.splitlines()))
    return rooms


def budget_errors(rooms):
    """Rooms of more lines than their budget allows, and rooms of many small files."""
    errors = []
    for room in BUDGETS.keys() & rooms.keys():
        lines, files = sum(rooms[room]), len(rooms[room])
        if lines > MARGIN * BUDGETS[room]:
            errors.append(f"{room}: {lines:,} lines; its budget has {BUDGETS[room]:,}")
        if room not in UNFOLDED and files > lines / LINES_A_FILE:
            errors.append(f"{room}: {files} files of {lines / files:.0f} lines in the mean; fold some")
    return errors


def test_rooms_keep_their_budgets():
    rooms = sizes(sources())
    assert {room for room in rooms if room in LAYERS and len(rooms[room]) > 1} == BUDGETS.keys()
    assert budget_errors(rooms) == []


def test_a_room_that_outgrows_its_budget_or_has_many_small_files_is_found():
    assert budget_errors({"state": [800, 200]}) == ["state: 1,000 lines; its budget has 800"]
    assert budget_errors({"stats": [100] * 5}) == ["stats: 5 files of 100 lines in the mean; fold some"]


def test_budgets_are_those_of_the_rooms_and_no_more():
    rooms = sizes(sources())
    assert [room for room, lines in BUDGETS.items() if sum(rooms[room]) < lines / MARGIN] == [], "lower these budgets"


# -------------------------------------------------------------------------------------- rules against regrowth

SMALL = 60  # lines of a file that one file alone imports: it belongs there
# Small, and apart: what it imports takes seconds; the path of the studies.
APART = {"wallsim.api.tournament_summary", "wallsim.analyses"}
SEALED = "wallsim.folder.checksummed_json"  # reads and writes sealed lines and documents, in its room only
MOST_PARAMETERS = 8  # of a function; a constructor, whose parameters are fields, and a kernel may have more
MANY_PARAMETERS, MOST_WITH_MANY = 6, 30  # functions with more parameters than that, and how many of them there may be
SEARCHES = "wallsim.searches"
OTHER_FILES = 3  # outside of their room that may import one kind of search
SAME_MODULE, SAME_NAME = 3, 4  # how often the name of a module, and that of a public function or class, may be given
# What is shown or called bears the name of what it shows or calls.
NAMED_ALIKE = ("wallsim.api.", "wallsim.cli.", "wallsim.report.")


def small_file_errors(texts):
    """Short files that only one file imports; who gathers a package imports all of its files."""
    importers = defaultdict(set)
    for module, imported in import_graph(texts).items():
        for each in imported:
            importers[each].add(module)
    lengths = {module: len(text.splitlines()) for module, text in texts.items() if module not in APART}
    return [
        f"{module}: {lines} lines, imported by {importer} alone; fold them"
        for module, lines in lengths.items() if 0 < lines < SMALL and len(importers[module]) == 1
        for importer in importers[module] if "__init__" not in importer + module
    ]  # fmt: skip


def seal_errors(texts):
    """Sealed lines and documents that are read or written outside of the room for folders."""
    room = SEALED.rpartition(".")[0]
    others = {module for module, text in texts.items() if not module.startswith(f"{room}.")}
    return [module for module, imported in import_graph(texts).items() if SEALED in imported and module in others]


def kind_errors(texts):
    """Questions which class a kind of folder has: what differs between kinds is data of theirs."""
    asked = re.compile(r"isinstance\([^()]*, [\w.| ]*[a-z]?Kind\b")
    return [module for module, text in texts.items() if asked.search(text)]


def parameters_of(source):
    """How many parameters each function has; without kernels, declarations for type checkers and constructors."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or node.name == "__init__":
            continue
        if any(re.match(r"kernel|overload", ast.unparse(each)) for each in node.decorator_list):
            continue
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        yield node.name, len(names) - (names[:1] in (["self"], ["cls"]))


def parameter_errors(texts):
    """Functions with too many parameters."""
    counted = [(module, name, count) for module, text in texts.items() for name, count in parameters_of(text)]
    many = [each for each in counted if each[2] > MANY_PARAMETERS]
    errors = [f"{module}: {name} has {count} parameters" for module, name, count in many if count > MOST_PARAMETERS]
    return errors + ([f"{len(many)} functions have many"] if len(many) > MOST_WITH_MANY else [])


def search_errors(texts):
    """Kinds of search, each a folder, that many files of the package outside of their room import."""
    importers = defaultdict(set)
    for module, imported in import_graph(texts).items():
        for each in imported if not module.startswith((f"{SEARCHES}.", "wallsim.analyses.")) else ():
            if each.startswith(f"{SEARCHES}.") and each.count(".") == 3:
                importers[each.split(".")[2]].add(module)
    return [f"{kind}: {', '.join(sorted(files))}" for kind, files in importers.items() if len(files) > OTHER_FILES]


def name_errors(texts):
    """Names of modules, and of public functions and classes, that are given too often."""
    own = {module: text for module, text in texts.items() if not module.startswith(NAMED_ALIKE)}
    modules, names = Counter(module.rpartition(".")[2] for module in own), Counter()
    for text in own.values():
        top = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
        names.update({node.name for node in top if not node.name.startswith("_")})
    twice = [f"{name}.py: {count} files" for name, count in modules.items() if count > SAME_MODULE and name[0] != "_"]
    return twice + [f"{name}: {count} definitions" for name, count in names.items() if count > SAME_NAME]


RULES = (small_file_errors, seal_errors, kind_errors, parameter_errors, search_errors, name_errors)


@pytest.mark.parametrize("rule", RULES)
def test_no_concept_grows_back(rule):
    texts = sources()
    if rule is name_errors:  # the folders of studies have the same few files each
        texts = {module: text for module, text in texts.items() if not module.startswith("wallsim.analyses")}
    assert rule(texts) == []


MANY = ", ".join("abcdefghi")
BAD = {
    small_file_errors: {"wallsim.a": "x = 1", "wallsim.b": "from wallsim.a import x"},
    seal_errors: {SEALED: "def sealed_line(): ...", "wallsim.play.b": f"from {SEALED} import sealed_line"},
    kind_errors: {"wallsim.b": "isinstance(kind, RunKind)"},
    parameter_errors: {"wallsim.b": f"class A:\n    def act(self, {MANY}): ..."},
    search_errors: {
        f"{SEARCHES}.tuning.history": "x = 1",
        **{f"wallsim.cli.{name}": f"from {SEARCHES}.tuning.history import x" for name in "abcd"},
    },
    name_errors: {f"wallsim.{name}.same": "" for name in "abcd"},
}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_finds_a_bad_example(rule):
    assert len(rule(BAD[rule])) == 1
