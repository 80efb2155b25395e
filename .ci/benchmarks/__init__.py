"""Benchmarks of a checkout: whole runs from small to large, and the ratio of speeds to another version."""
