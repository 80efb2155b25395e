"""A script that plays games with the wallsim on its path, and reports CPU seconds: the other end of `Timer`.

It also runs with the sources of earlier and later versions, so it uses little of them: `Experiment`, its arena, and
`play`. Requests and answers are lines of JSON on standard input and output. The first answer has the package's folder
and the engine version; a request names a policy, the first game and the number of games. It ends with its input.
"""

from __future__ import annotations

import json
import os
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any


def serve() -> None:
    """Answer requests until standard input ends; what the games print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    answer = _attempted(_installation)
    while True:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        line = sys.stdin.readline()
        if not line:
            break
        answer = _attempted(_timed, **json.loads(line))


def _attempted(step: Any, **request: Any) -> dict[str, Any]:
    try:
        return dict(step(**request))
    except Exception as error:
        return {"error": " ".join(str(error).split()) or type(error).__name__}


def _installation() -> dict[str, Any]:
    from wallsim.engine import version

    return {"package": str(Path(version.__file__).resolve().parents[1]), "engine": version.ENGINE_VERSION}


def _timed(policy: str, first: int, count: int) -> dict[str, float]:
    arena = _arena(policy)
    start = time.process_time()
    arena.play(first, count)
    return {"seconds": time.process_time() - start}


@cache
def _arena(policy: str) -> Any:
    from wallsim import Experiment  # by its public name, under whatever module a version has it

    return Experiment(players=4, policies=policy, seed=1).arena()


if __name__ == "__main__":
    serve()
