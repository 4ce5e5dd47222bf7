"""Modules that lie in the folder of their family, src/family/NAME/NAME.py, and are installed here."""
