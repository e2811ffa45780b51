"""The parts from which the kernels of games on square boards are built."""
