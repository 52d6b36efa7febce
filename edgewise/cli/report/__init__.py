"""HTML reports: the page around them, their tables, and charts as inline SVG."""
