"""Random walks, and samples of them for learning."""
