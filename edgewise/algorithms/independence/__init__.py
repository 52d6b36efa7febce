"""Independent sets and dominating sets."""
