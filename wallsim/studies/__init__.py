"""The frame of all studies: design, cache, claims, register of figures, pages and audits."""
