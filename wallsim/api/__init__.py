"""The functions that `import wallsim` offers, a module each; they join what the layers below them do."""
