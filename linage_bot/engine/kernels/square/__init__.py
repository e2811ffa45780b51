"""What the kernels of games on square boards are built from."""
