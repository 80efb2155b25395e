"""What is said of a game that people played: points, ties, chances, battles and the start, and the page with them."""
