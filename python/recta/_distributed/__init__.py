"""Fits of tables in parts, on clusters of Spark and Dask."""
