"""One name for one question: in the registry, as a constant, as a kernel, and as an answer of `balanced`."""

import inspect

import pytest

from tests.policies import copied_answers
from wallsim.policies import decide, questions
from wallsim.policies.questions import QUESTIONS

WITHIN_A_PLAN = ("bid",)  # asked for together with the plan


@pytest.mark.parametrize("number", range(len(QUESTIONS)), ids=[question.name for question in QUESTIONS])
def test_a_questions_constant_bears_its_name_and_is_its_number(number):
    assert getattr(questions, QUESTIONS[number].name.upper()) == number


@pytest.mark.parametrize("question", QUESTIONS, ids=[question.name for question in QUESTIONS])
def test_a_question_is_answered_by_the_kernel_of_its_name_with_its_details(question):
    answer = getattr(copied_answers, question.name)
    assert tuple(inspect.signature(answer).parameters) == ("game", "rules", "mind", "seat", *question.details)
    if question.name not in WITHIN_A_PLAN:
        kernel = getattr(decide, f"choose_{question.name}")
        kernel = getattr(kernel, "py_func", kernel)
        assert tuple(inspect.signature(kernel).parameters) == ("game", "rules", "mind", "seat", *question.details)


def test_only_questions_are_asked():
    kernels = {name.removeprefix("choose_") for name in vars(decide) if name.startswith("choose_")}
    assert kernels == {question.name for question in QUESTIONS} - set(WITHIN_A_PLAN)
