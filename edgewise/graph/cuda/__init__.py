"""Building and renumbering graphs on CUDA."""
