"""Structure: assortativity and the rich-club coefficient."""
