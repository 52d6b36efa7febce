"""Ranking: PageRank, HITS, SALSA and their personalized forms."""
