"""A fitted model and what it says of itself: its proof, its summary, its explanation."""
