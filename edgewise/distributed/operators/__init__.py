"""The operators on a grid: the local engine on each rank's block, then one exchange per round."""
