"""Who is joined to whom: by degree, by kind, among the richest."""
