"""Components: connectivity of vertices and edges."""
