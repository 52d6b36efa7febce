"""Communities: who belongs together."""
