"""The folders of searches as kinds of folders: tuning, exploiting and learning."""
