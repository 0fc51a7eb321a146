"""Statistics of datasets: polars in, tables out."""
