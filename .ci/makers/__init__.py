"""Tools for makers of studies, which write files of a checkout: fairer line-ups, games of a later stage, and sheets."""
