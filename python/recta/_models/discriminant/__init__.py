"""Classes by Gaussian distributions and by centroids."""
