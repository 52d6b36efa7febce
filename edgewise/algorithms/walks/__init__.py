"""Random walks, and batches of them for machine learning."""
