"""The explorer of the trained model: its state, its rows, its data."""
