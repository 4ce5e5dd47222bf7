"""What every other room rests on: errors, their words, checks, progress."""
