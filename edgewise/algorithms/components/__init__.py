"""Components: who can reach whom."""
