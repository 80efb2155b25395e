"""Tools for makers of studies, which write files of a checkout: fairer line-ups, and the games of a later stage."""
