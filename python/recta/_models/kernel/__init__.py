"""Models by kernels, and the kernels of texts and graphs."""
