"""Bytes in and out: standard streams, sockets and processes."""
