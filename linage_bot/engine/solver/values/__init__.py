"""Values of single regions in canonical form, their means, temperatures and names."""
