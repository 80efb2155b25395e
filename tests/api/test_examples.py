"""The examples in the documentation of the public names are true."""

import doctest
import importlib

import pytest

import wallsim


@pytest.mark.parametrize("name", ["Experiment", "Tournament", "compare", "open_run", "play", "summarise", "trace"])
def test_the_examples_of_a_name_print_what_they_say(name):
    module = importlib.import_module(wallsim._MODULES[name])
    finder = doctest.DocTestFinder(recurse=False)
    [test] = finder.find(getattr(wallsim, name), name, module=False, globs={**vars(wallsim), **vars(module)})
    assert test.examples
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
