"""Whether custom policies are tried in a process of their own; tests of other things save its two seconds."""

in_own_process = True
