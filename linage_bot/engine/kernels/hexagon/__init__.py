"""What the kernels of games on hexagonal boards are built from."""
