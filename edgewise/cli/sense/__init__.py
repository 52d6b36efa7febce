"""``edgewise sense``: from packet captures to traffic matrices, tables, files and a report."""
