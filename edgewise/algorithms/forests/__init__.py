"""Forests: trees given by parents."""
