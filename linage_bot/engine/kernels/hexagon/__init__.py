"""The parts from which the kernels of games on hexagonal boards are built."""
