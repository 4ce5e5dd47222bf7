"""Choosing: parameters, thresholds, features."""
