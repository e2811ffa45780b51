"""What all tests share."""

from hypothesis import HealthCheck, settings

# A busy machine is no failure.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
