"""Jobs in a queue, which run on threads of this process or on the workers of a cluster."""
