"""One module per library; `benchmarks.tasks` says what each of them holds."""
