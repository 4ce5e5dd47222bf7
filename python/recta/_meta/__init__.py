"""Estimators made of others."""
