"""What commands refuse: with status 2, naming what is wrong and what is allowed, before they play or write anything.

Each line is a command in a folder with the files of `place`, and the names that its message must have.
"""

import shlex
from itertools import chain

import pytest

from tests.cli.commands import ROOT, done, refusal
from tests.refusals import assert_names
from wallsim.engine.arena import Arena
from wallsim.rules.files import data_folder

FILES = {
    "game.toml": 'players = 3\npolicies = "balanced"\ngames = 20\nseed = 5\n',
    "set.toml": 'policies = "random"\ngames = 30\n[scenario.printed]\n[scenario.fix]\namounts.palace_price = 4\n',
    "none.set.toml": "games = 0\n[scenario.a]\n[scenario.b]\n[factor]\ntower = ['mid', 'none']\n",
    "long.toml": 'policies = "random"\ngames = 30\n[scenario.plain]\n[scenario.long]\ngames = 90\n',
    "few.toml": 'policies = "random"\ngames = 30\n[scenario.plain]\n[scenario.few]\nplayers = 3\n',
    "luck.toml": 'policies = "random"\ngames = 30\n[scenario.plain]\n[scenario.luck]\nseed = 2\n',
    "broken.toml": "games = = 3",
    "wrong.toml": "games = 0\nplayers = 7\n",
    "typo.toml": "plyers = 3\n[rules]\nbnk = 100\n",
    "bad.toml": "amounts.palace_prise = 3\n",
    "mine.py": "raise SystemExit('was run')",
    "python.toml": 'players = 3\npolicies = "mine.py"\ngames = 2\n',
    "same/random.toml": 'base = "builder"\n',
    "own/mid.toml": 'model = "independent"\np = 0.5\nq = 0.5\n',
    "bad.txt": "players: 4\n\nspring 1\nA 0v\n",
    "position.txt": (ROOT / "docs" / "examples" / "position.txt").read_text("utf-8"),
    "casts.csv": "in_red,out_red\n6,2\n",
    "more.csv": "in_red,out_red\n6,2\n3,8\n",
}
BOARD = data_folder("board")
TAX = f"--values {BOARD / 'counties.csv'} --column tax"
HUGE, MANY = 99999999999999999999, "9" * 5000

PLAY = {
    "runn": ("'runn'", "'run'"),
    "run --gamse 3": ("--gamse",),
    "run --polices x": ("--polices", "--policies"),
    "run --policies nobody": ('--policies: "nobody"', "balanced"),
    "run --policies balancd": ('--policies: "balancd"', "did you mean balanced?"),
    "run --players 7": ("--players: 7", "3, 4, 5"),
    "run --players many": ('--players: "many"', "3, 4, 5"),
    "run --games -5": ("--games: -5", "1 to 10000000000"),
    "run --games x": ('--games: "x"', "1 to 10000000000"),
    f"run --games {MANY}": ("--games:", "1 to 10000000000"),
    "run --workers 0": ('--workers: "0"', "from 1 to"),
    f"run --workers {MANY}": ("--workers:", "from 1 to"),
    "run --lineups A,B,C": ('--lineups: ["A", "B", "C"]', "A, B, C, D once"),
    "run --tower rulebok": ("--tower", "'rulebok'", "did you mean rulebook?"),
    "run --switch food_track": ("--switch", "'food_track'", "NAME=VALUE"),
    "run --switch food-trck=open": ("--switch food-trck", "did you mean food_track?"),
    "run --switch combat=can": ('--switch combat: "can"', "must, may"),
    "run --switch edition=1e": ("--switch edition", "unknown", "a separate"),
    f"run --switch bank={MANY}": ("--switch bank:",),
    f"run --switch bank={10**23}": (f"--switch bank: {10**23}", "0 (never runs out)"),
    "run --switch bank=100 --switch bank=200": ("--switch: bank", "more than once"),
    "run --edition 2": ('--edition: "2"', "2e, 1e"),
    "run --expansions sea": ('--expansions: "sea"', "court, landsknechte, leaders", "all"),
    "run --expansions court,court": ('--expansions: "court"', "more than once"),
    "run --expansions ''": ('--expansions: ""', "court, landsknechte, leaders"),
    "run --expansions leader": ('--expansions: "leader"', "did you mean leaders?"),
    "run --out /dev/null/run": ("/dev/null/run", "Not a directory"),
    "run nowhere.toml": ("nowhere.toml", "No such file"),
    "run broken.toml": ("broken.toml", "TOML"),
    "run wrong.toml": ("wrong.toml: games: 0", "wrong.toml: players: 7"),
    "run typo.toml": ("plyers", "did you mean players?", "bnk", "did you mean bank?"),
    "run game.toml --players 3 --tower mid": ("--players, --tower", "combined", "game.toml"),
    "run game.toml --edition 2e --expansions all": ("--edition, --expansions", "combined", "game.toml"),
    "run --games 60 --seed 5 --policies random --players 3 --plans --out run": ("another", "seed is 4", "5 here"),
    "run none.set.toml": (
        "none.set.toml: scenario a+tower-none, b+tower-none: tower: 'none'",
        "games: 0",
    ),
    "run set.toml --plot p.png": ("--plot", "combined", "scenarios"),
    "run set": ("set", "scenarios", "one run"),
    "run --dry-run --plot p.png": ("--plot", "--dry-run"),
    **{f"run --games 5 --plot {name}": ("--plot", name) for name in ("x", "x.gif", "x.svgz", "nowhere/x.svg")},
    **{f"run --until '{text}'": (f'--until: "{text}"', "vp ±0.1", "win ±0.2pp")
       for text in ("vp", "win ±1", "grain ±1", "vp ±0")},
    "run long.toml --until 'vp ±1'": ("--until: games", "30 in plain", "90 in long"),
    "run few.toml --until 'vp ±1'": ("--until: players", "4 in plain", "3 in few"),
    "run luck.toml --until 'vp ±1'": ("--until: seed", "1 in plain", "2 in luck"),
    "init game.toml": ("game.toml", "exists"),
    "init mine.txt": ("mine.txt", ".toml"),
    "init nowhere/mine.toml": ("nowhere/mine.toml", "written"),
    "lineups --players 6": ("--players: 6", "3, 4, 5"),
    "lineups --board nowhere": ("--board", "nowhere", "no such"),
    "tournament random,nobody": ("POLICIES: 'nobody'", "amateur"),
    "tournament nobody,nobody": ("POLICIES: 'nobody'", "amateur"),
    "tournament random": ("POLICIES: 1", "two"),
    "tournament random,": ("POLICIES: ''", "amateur"),
    "tournament ,": ("POLICIES: ''", "amateur"),
    "tournament ''": ("POLICIES", "empty"),
    "tournament ' '": ("POLICIES", "empty"),
    "tournament random,builder,random": ("POLICIES: 'random'", "more than one"),
    "tournament random,builder --players 6": ("--players: 6", "3, 4, 5"),
    "tournament random,builder --blocks 0": ('--blocks: "0"', "from 1 to"),
    "tournament random,builder --blocks many": ('--blocks: "many"', "from 1 to"),
    "tournament random,builder --blocks 999999999": ("--blocks: 999999999", "1 to 250000000"),
    "tournament random,builder --workers 0": ('--workers: "0"', "from 1 to"),
    "tournament random,builder --tower leaning": ("--tower", "leaning"),
    "tournament random,builder --switch bank=1": ("--switch bank: 1 is",),
    "tournament random,builder --out /dev/null/cup": ("/dev/null/cup", "Not a directory"),
    "tournament random,builder --until vp": ('--until: "vp"', "vp ±0.1", "win ±0.2pp"),
    "tournament .": (".:", "no tournament"),
    "tournament . --blocks 3 --switch bank=150": ("--switch, --blocks", "folder ."),
    "tournament . --check-policies": ("--check-policies", "folder ."),
    "tournament random,balanced --experiment set.toml": ("--scenario", "set.toml", "printed, fix"),
    "tournament random,balanced --experiment set.toml --scenario fxi": ("--scenario: 'fxi'", "printed, fix"),
    "tournament random,balanced --experiment set.toml --scenario fix --players 3": ("--players", "set.toml"),
    "tournament random,balanced --experiment game.toml --scenario fix": ("--scenario", "game.toml", "no scenarios"),
    "tournament random,balanced --scenario fix": ("--scenario", "experiment with scenarios"),
    "tournament random,balanced --experiment nowhere.toml": ("nowhere.toml", "read"),
    "tournament random,balanced --experiment bad.toml": ("bad.toml: amounts.palace_prise",),
    "tournament random,balanced --experiment empty": ("empty", "no run"),
    "board map --out x.gif": ("--out: x.gif", ".png or .svg or .pdf"),
    "board map --out nowhere/x.png": ("nowhere/x.png", "written"),
    "board map --out x.png --numbers": ("--numbers", "--values"),
    "board map --out x.png --column tax": ("--column", "--values"),
    "board map --out x.png --values no.csv": ("no.csv", "No such file"),
    f"board map --out x.png {TAX[:-1]}": ("--column", "did you mean tax?"),
    f"board map --out x.png {TAX} --scale sequental": ("--scale", "did you mean sequential?"),
    "board map nowhere --out x.png": ("nowhere", "no such"),
}  # fmt: skip
TOWERS = {
    "tower simulate --tower pisa": ("--tower: 'pisa'", "preset"),
    "tower simulate --casts 42": ('--casts: "42"', "43 to 100000"),
    "tower simulate --protocol play": ('--protocol: "play"', "bench, game"),
    "tower simulate --protocol benhc": ('--protocol: "benhc"', "did you mean bench?"),
    "tower simulate --players 4": ("--players", "--protocol bench"),
    "tower simulate --protocol game --casts 50": ("--casts", "--protocol game"),
    "tower simulate --protocol game --players 6": ("--players: 6", "3, 4, 5"),
    "tower simulate --protocol game --games 0": ('--games: "0"', "from 1"),
    "tower simulate --seed -1": ('--seed: "-1"', "from 0"),
    "tower simulate --out casts.csv": ("casts.csv", "exists"),
    "tower fit ''": ("folder",),
    "tower fit .": ("folder",),
    "tower fit /": ("folder",),
    "tower fit nowhere.csv": ("nowhere.csv", "No such file"),
    "tower fit more.csv": ("more.csv, line 3, column out_red: 8", "at most 7"),
    "tower fit casts.csv --out own.csv": ("--out", "own.csv", ".toml"),
    "tower fit casts.csv --model best": ('--model: "best"', "auto, independent, urn, layered"),
    "tower fit casts.csv --floors 5": ('--floors: "5"', "1 to 4"),
    "tower fit casts.csv --no-layered --model layered": ("--model: layered", "combined"),
    "tower show --tower mid --tower mid": ("--tower", "1 to 9 different"),
    "tower show --tower pisa": ("--tower: 'pisa'", "preset"),
    "tower show --tower mid --tower own/mid.toml": ("--tower", "same name"),
    "tower show --out mine.py": ("--out: mine.py", "folder"),
    "tower show --policy nobody": ("--policy: 'nobody'", "amateur"),
    "tower show --players 2": ('--players: "2"', "3 to 5"),
    "tower show --games 3": ('--games: "3"', "from 30"),
    "battle odds --kind siege": ('--kind: "siege"', "player, neutral, revolt"),
    "battle odds --kind neutrl": ('--kind: "neutrl"', "did you mean neutral?"),
    "battle odds --attackers 0": ("attackers: 0", "1 to 62"),
    "battle odds --attackers 5-2": ('--attackers: "2"', "from 5"),
    "battle odds --attackers 1-50": ("attackers", "1-50", "31 numbers"),
    "battle odds --tray red=1": ('--tray: "red=1"', "ROLE=NUMBER"),
    "battle odds --inside attacker=1,attacker=2": ("--inside", "once"),
    "battle odds --inside attacker=62": ("attacker: 4", "more than the 62"),
    "battle odds --inside attacker=1 --state fresh": ("--state", "--inside"),
    "battle odds --state empty": ('--state: "empty"', "fresh, loaded, adverse"),
    "battle odds --tower pisa": ("--tower: 'pisa'", "preset"),
    "battle odds --kind neutral --no-peasants-join": ("--no-peasants-join", "--kind player"),
    "battle odds --attackers 1-20 --defenders 1-20 --battles 1000000": ("--battles", "100000000"),
    "battle odds --battles 0": ('--battles: "0"', "from 1"),
}
LOOK = {
    "trace set.toml": ("set.toml", "scenarios", "one experiment"),
    "trace run --game 60": ("--game: 60", "0 to 59"),
    "trace run --seed 1": ("--seed", "combined"),
    "trace run --expansions all": ("--expansions", "combined"),
    "trace set": ("set", "scenarios", "one run"),
    f"trace --game {HUGE}": (f"--game: {HUGE}", "0 to 9999999999"),
    f"trace --game {MANY}": ("--game:", "0 to 9999999999"),
    "trace --game -1": ("--game: -1", "0 to 9999999999"),
    f"trace --seed {MANY}": ("--seed:",),
    **{f"{command} {'x' * 300}": ("File name too long",) for command in ("trace", "summary", "verify")},
    "summary empty": ("empty", "no run"),
    "summary set --plot p.png": ("set", "scenarios", "one"),
    "verify empty": ("empty", "no run"),
    "codebook run --expansions all": ("--expansions", "combined"),
    "codebook --expansions sea": ('--expansions: "sea"', "court, landsknechte, leaders"),
    f"codebook {BOARD}": (BOARD, "no run"),
    "codebook set": ("set", "scenarios", "one run"),
    "compare run other": ("seed", "4 and 5"),
    "compare run nowhere": ("nowhere", "no run"),
    "compare run": ("run", "no scenarios", "second folder"),
    "compare run run --to fix": ("--to", "scenarios"),
    "compare run run --adjust none": ('--adjust: "none"', "holm, bh"),
    "compare run run --intervals normal": ('--intervals: "normal"', "bonferroni, bootstrap"),
    "compare run run --seat 7": ("--seat: 7", "0 to 2"),
    "compare run run --by luck": ('--by: "luck"', "seat, lineup, round, standing"),
    "compare run run --columns victory": ("--columns: victory", "seats"),
    "compare run run --plot x.gif": ("--plot", "x.gif"),
    "compare run run --html x.gif": ("--html: x.gif", ".html"),
    "compare run run --html x.html --json": ("--html", "--json"),
    "compare set --to fxi": ("to: 'fxi'", "printed, fix"),
    "compare set --seat A": ("--seat", "two runs"),
    "compare set --by seat": ("--by", "two runs"),
    "compare set --intervals bootstrap": ("--intervals", "two runs"),
    "compare set --columns wins": ("columns: wins",),
    "replay run --game 60": ("--game: 60", "0 to 59"),
    "replay game.toml --game 20": ("--game: 20", "0 to 19"),
    "replay run --game one": ("--game: one", "0 to 59"),
    "replay run --game -1": ("--game: -1", "0 to 59"),
    "replay nowhere": ("nowhere",),
    "replay empty": ("empty", "no run"),
    "replay python.toml": ("mine.py", "--trust-code"),
    "replay run --out a.htm": ("--out: a.htm", ".html"),
    "replay run --out empty/dir.html": ("--out: empty/dir.html", ".html"),
    "replay run --game 1 --remarkable upset": ("--game", "--remarkable"),
    "replay run --remarkable fun": ("--remarkable: 'fun'", "comeback, upset, closest, luck"),
    "replay run --remarkable luck": ("--remarkable: luck", "battles"),
    "replay game.toml --remarkable upset": ("--remarkable", "tables of a run"),
    "openings run --forced x": ('--forced: "x"', "from 0 to"),
    "openings run --forced 61": ("--forced: 61", "0 to 60"),
    "openings run --lineup D": ("--lineup: 'D'",),
    "openings run --out page.txt": ("--out: page.txt", ".html or .csv"),
    "openings run --policy balanced": ("--policy: 'balanced'",),
    "openings other --out page.html": ("--plans",),
    "openings nowhere": ("nowhere",),
    **{f"report {folder} --out x": ("--out", ".html") for folder in ("run", "set")},
    "report empty --out x.html": ("empty", "no run"),
    "figures prise": ("'prise'",),
    "figures *nowhere*": ("*nowhere*",),
    "figures price --json --markdown": ("--json", "--markdown"),
    "figures price --parquet /nowhere/x.parquet": ("/nowhere/x.parquet", "written"),
    "figures price --parquet x.csv": ("--parquet: x.csv", ".parquet"),
    "figures price --parquet x": ("--parquet: x", ".parquet"),
    f"figures '{'[' * 201}'": ("up to 200",),
    f"figures '{'*a' * 60_000}'": ("up to 200",),
    "trace --policies random --out x.csv": ("--out: x.csv", ".jsonl"),
    "trace --policies random --text --out x.parquet": ("--out: x.parquet", ".txt"),
    "review --from game.toml --out x.html": ("--out: x.html", ".txt"),
    "tower simulate --out x.parquet": ("--out: x.parquet", ".csv"),
    "replay game.toml --out x.csv": ("--out: x.csv", ".html"),
}
ADVISE = {
    "advise bad.txt": ("bad.txt:",),
    "advise nowhere": ("nowhere",),
    "advise game.toml --game 20": ("--game: 20", "0 to 19"),
    "advise game.toml --season 'winter 1'": ('--season: "winter 1"', "spring 1"),
    "advise game.toml --seat 3": ("--seat: 3", "0 to 2"),
    "advise game.toml --seat x": ('--seat: "x"', "0 to 2"),
    "advise game.toml --step 50 --season 'fall 1'": ("--step", "season"),
    "advise game.toml --step 50 --seat 3": ("--seat: 3", "0 to 2"),
    "advise game.toml --step 50 --choice 'Paris 3'": ("--choice: 'Paris 3'", "county"),
    "advise game.toml --choice 'Tirol 3'": ("--choice", "a plan"),
    "advise game.toml --plays stronk": ("--plays: 'stronk'", "strong"),
    "advise game.toml --plan palace=Paris": ("--plan: palace: 'Paris'", "card"),
    "advise game.toml --plan palce=Tirol": ("--plan: 'palce'", "boxes"),
    "advise game.toml --policy nobody": ("nobody",),
    "advise game.toml --policy rollout": ("--policy: rollout", "'rollout'"),
    "advise game.toml --tower nowhere": ("nowhere",),
    "advise game.toml --tables 1": ("--tables: 1", "from 2"),
    "advise game.toml --precision 0.05": ("--precision: 0.05", "from 0.1"),
    "advise game.toml --minutes 0": ("--minutes: 0", "from 0.01"),
    "advise game.toml --seed -1": ("--seed: -1", "from 0"),
    "advise game.toml --workers 0": ("--workers: 0", "from 1"),
    "advise game.toml --actions palace": ("--actions", "lies open"),
    "advise position.txt --game 1": ("--game", "position"),
    "advise position.txt --seat E": ("--seat: 4", "0 to 3"),
    "advise position.txt --actions palace,church": ("--actions: palace, church", "5 different"),
    "advise position.txt --tiles grain,gold": ("--tiles: 'gold'", "thaler"),
    "advise position.txt --plan palace=Paris": ("--plan: palace: 'Paris'", "card"),
    "advise position.txt --plays stronk": ("--plays: 'stronk'", "strong"),
    "advise position.txt --choice 2": ("--choice", "a plan"),
    "advise position.txt --tower nowhere": ("nowhere",),
}
BOTS = {
    "policy show nobody": ("'nobody'", "amateur"),
    "policy show Builder": ("'Builder'", "did you mean builder?"),
    "policy show random --against nobody": ("--against: 'nobody'", "amateur"),
    "policy show random --games 29": ('--games: "29"', "30 to 1000000"),
    "policy show random --games many": ('--games: "many"', "30 to 1000000"),
    "policy show random --players 6": ("--players: 6", "3, 4, 5"),
    "policy show random --tower nowhere": ("--tower:", "nowhere"),
    "policy show random --moves 30": ("--moves: random", "weights"),
    "policy show balanced --moves -1": ("--moves", "-1"),
    "policy show balanced --traces many": ("--traces", "many"),
    "policy show random --out x.html": ("--out: x.html", ".md"),
    "policy show random --json --out x.md": ("--out: x.md", ".json"),
    "policy compare random,random": ("random,random", "1 to 16 different"),
    "policy compare random,nobody": ("'nobody'", "amateur"),
    "policy compare random,": ("''", "amateur"),
    "policy compare random,same/random.toml": ("'random'", "more than one"),
    "policy compare random,balanced --out x.toml": ("--out: x.toml", ".md"),
    "tune nobody --out x": ("POLICY: 'nobody'", "amateur"),
    "tune random --out x": ("random", "no weights"),
    "tune broken.toml --out x": ("POLICY: broken.toml", "TOML"),
    "tune same/random.toml --out x": ("random.toml", "another policy", "random"),
    "tune balanced --out x --pool nobody": ("--pool: 'nobody'", "amateur"),
    "tune balanced --out x --weights luck": ("--weights: 'luck'", "hold"),
    "tune balanced --out x --weights noize": ("--weights: 'noize'", "did you mean noise?"),
    "tune balanced --out x --weights favor": ("--weights: 'favor'", "court"),
    "tune balanced --out x --hold luck": ("--hold: 'luck'", "hold"),
    "tune balanced --out x --phases never": ("--phases: 'never'", "rounds, years, year one"),
    "tune balanced --out x --phase-weights hold": ("--phase-weights", "phases"),
    "tune balanced --out x --setup draft,draft": ("--setup: draft,draft", "once"),
    "tune balanced --out x --tower mid,nowhere": ("nowhere",),
    "tune balanced --out x --players 7": ("--players: 7", "3, 4, 5"),
    "tune balanced --out x --generations 0": ('--generations: "0"', "from 1"),
    "tune balanced --out x --population 1": ('--population: "1"', "from 2"),
    "tune balanced --out x --step nan": ('--step: "nan"', "0.001 to 2"),
    "tune balanced --out x --step wide": ('--step: "wide"', "0.001 to 2"),
    "tune balanced --out x --lead-weight -1": ('--lead-weight: "-1"', "0 to 1"),
    "tune balanced --out x --name a/b": ('--name: "a/b"', "1 to 80"),
    "tune balanced --out x --ridge 5 --towards random": ("--towards: random", "no weights"),
    "tune balanced --out x --ridge 5 --towards nobody": ("nobody",),
    "tune balanced --out x --towards plain": ("--towards", "--ridge"),
    "tune balanced --out x --ridge -1": ("--ridge", "-1"),
    "exploit nobody --out x": ("POLICY: 'nobody'", "amateur"),
    "exploit balanced --out x --start nobody": ("--start: 'nobody'", "amateur"),
    "exploit balanced --out x --minutes 0": ('--minutes: "0"', "0.001 to 100000"),
    "exploit balanced --out x --minutes 1 --generations 1": ("--minutes", "--generations"),
    "exploit balanced --out x --phases never": ("--phases: 'never'", "rounds, years"),
    "exploit balanced --out x --search-games -1": ('--search-games: "-1"', "from 0"),
    "exploit balanced --out x --search-rivals known": ("--search-rivals", "--search-games"),
    "exploit balanced --out x --search-rivals all --search-games 9": ("--search-rivals: 'all'", "known, drawn"),
    "exploit balanced --out x --generations 0": ("--generations: 0", "nothing to play"),
    "exploit balanced --out x --generations 0 --search-games 9": ("--generations: 0", "nothing to play"),
    "exploit balanced --out x --name a/b": ('--name: "a/b"', "1 to 80"),
    "learn --out x --policies nobody": ("--policies: 'nobody'", "amateur"),
    "learn --out x --policies random --players 3,6": ("--players", "6"),
    "learn --out x --policies random --players 3,3": ("--players: 3,3", "once"),
    "learn --out x --policies random --setup lineup,none": ("--setup", "none"),
    "learn --out x --policies random --tower leaning": ("--tower", "leaning"),
    "learn --out x --policies random --noise 0,much": ('--noise: "much"', "0 to 20"),
    "learn --out x --policies random --units 14": ("--units", "14"),
    "learn --out x --policies random --games 0": ("--games", "0"),
    "learn --out x --policies random --seed -1": ("--seed", "-1"),
    "learn --out x --policies random --name a/b": ('--name: "a/b"',),
    "learn --out x --policies random --workers 0": ("--workers", "0"),
    "teach random --value season-ends --out x": ("POLICY: random", "kind"),
    "teach rollout --value season-ends --out x": ("POLICY: rollout", "kind"),
    "teach balanced --value nothing --out x": ("--value: 'nothing'", "season-ends"),
    **{
        f"teach balanced --value season-ends --out x {words}": names
        for words, names in {
            "--rivals nobody": ("--rivals: 'nobody'", "amateur"),
            "--rivals random": ("--rivals: random", "'random'", "'balanced'"),
            "--players 3,6": ("--players", "6"),
            "--players ''": ("--players",),
            "--players 3,3": ("--players: 3,3", "once"),
            "--setup lineup,none": ("--setup", "none"),
            "--tower leaning": ("--tower", "leaning"),
            "--units 33": ("--units", "33"),
            "--plans 3": ("--plans", "3"),
            "--tables 0": ("--tables", "0"),
            "--shrink 1.5": ("shrink", "1.5"),
            "--games 0": ("--games", "0"),
            "--name a/b": ('--name: "a/b"',),
            "--name checksums": ("--name: checksums",),
            "--workers 0": ("--workers", "0"),
            "--earlier nowhere": ("--earlier: nowhere", "No such file"),
        }.items()
    },
}
STUDIES = {
    "study prise --out x": ("prise", "price"),
    "study casual --set seat=3 --out x": ("casual", "policies"),
    "study casual --set policies --out x": ("policies", "OPTION=VALUE"),
    "study casual --set policies=nobody --out x": ("nobody",),
    "study price --all --out x": ("--all", "price"),
    "study price --quick --publish --out x": ("--publish", "full"),
    "study price --page --out x": ("source tree",),
    **{f"study {words} --report x.html": ("--report", words.split()[-1])
       for words in ("casual --page", "casual --publish", "casual --verify", "--all")},
    "study casual --report x.txt": ("--report: x.txt", ".html"),
    "study ./nowhere --out x": ("study.py",),
    **{f"study price --games {games} --out x": (f'games: "{games}"', "1 to 1000000")
       for games in (0, -5, 1000001, "9" * 25)},
}  # fmt: skip
AFTER_PLAYING = {
    "trace run --out /dev/null/x": ("--out: /dev/null/x", "written"),
    "trace run --out empty": ("--out: empty", "Is a directory"),
    "replay run --out game.toml/a.html": ("--out: game.toml/a.html", "written"),
    "policy show random --games 30 --players 3 --out nowhere/it.md": ("nowhere/it.md", "written"),
}
REFUSED = [*chain.from_iterable(table.items() for table in (PLAY, TOWERS, LOOK, ADVISE, BOTS, STUDIES))]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Files, a run with plans and one of another seed without, and a set of scenarios: nothing writes there."""
    place = tmp_path_factory.mktemp("place")
    for name, text in FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, "utf-8")
    (place / "empty" / "dir.html").mkdir(parents=True)
    flags = ("--policies", "random", "--players", 3, "--quiet")
    done("run", *flags, "--games", 60, "--seed", 4, "--plans", "--out", place / "run")
    done("run", *flags, "--games", 5, "--seed", 5, "--out", place / "other")
    done("run", place / "set.toml", "--quiet", "--out", place / "set")
    return place


def there(place):
    """Every file, with the time of its last change."""
    return {path: path.stat().st_mtime_ns for path in place.rglob("*")}


def nothing(*_, **__):
    """In place of what would play."""
    pytest.fail("something is played")


def assert_refused(place, monkeypatch, line, names):
    """A command is refused by a short message with these names, and changes no file."""
    monkeypatch.chdir(place)
    before = there(place)
    said = refusal(*shlex.split(line))
    assert_names(said, *names)
    assert len(said) < 1500
    assert len(set(said.splitlines())) == len(said.splitlines()), "nothing is said twice"
    assert there(place) == before


@pytest.mark.parametrize(("line", "names"), REFUSED, ids=[line[:60] for line, _ in REFUSED])
def test_a_wrong_command_is_refused_before_anything_is_played(place, monkeypatch, line, names):
    for play in ("play", "moment", "trace"):
        monkeypatch.setattr(Arena, play, nothing)
    assert_refused(place, monkeypatch, line, names)


@pytest.mark.parametrize(("line", "names"), AFTER_PLAYING.items(), ids=AFTER_PLAYING)
def test_what_cannot_be_written_is_refused(place, monkeypatch, line, names):
    assert_refused(place, monkeypatch, line, names)
