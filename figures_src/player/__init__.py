"""The player of the explainer: its state, the picked row, its twelve plates, its film and its folds."""
