"""Values of single regions in canonical form, their thermographs and names."""
