"""Flows: maximum flows and minimum cuts."""
