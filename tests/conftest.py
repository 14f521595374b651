"""What all tests share."""

from hypothesis import HealthCheck, settings

# A busy machine is slow, and no test here fails on a clock.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")
