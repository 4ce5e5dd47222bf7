"""What every estimator has in common."""
