"""Protein sequences: FASTA files, seeds, alignments and the report of `protein_families`."""
