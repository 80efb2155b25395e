"""The docs site: reads and checks the Markdown, lays out its pages, builds and checks the site."""
