"""Small patterns in large graphs: matches of one, and counts of all."""
