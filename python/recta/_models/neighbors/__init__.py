"""Nearest neighbours."""
