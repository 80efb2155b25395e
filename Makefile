# Short names for the scripts in .ci, which work without make too. ARGS is handed on:
# make play ARGS="--games 1000 --out results/small"; make test ARGS="tests/mechanics -k revolt"
.DEFAULT_GOAL := help
.PHONY: help setup play test lint docs ci lock

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' Makefile

setup: ## make .venv from the pinned packages; the others do so by themselves
	sh .ci/setup

play: ## play a million four-player games into results/million
	sh .ci/play $(ARGS)

test: ## run the test suite
	sh .ci/test $(ARGS)

lint: ## check style, format and types
	bash .ci/run lint

docs: ## build the documentation into build/site and check its links; ARGS: --quick (notebooks are not run), tags
	sh .ci/docs $(ARGS)

ci: ## run everything that CI runs, or the stages in ARGS
	bash .ci/run $(ARGS)

lock: ## pin all packages again after a change of dependencies
	sh .ci/lock $(ARGS)
