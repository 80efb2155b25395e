"""The functions offered by `import wallsim`, one module each; they combine the lower layers of the package."""
