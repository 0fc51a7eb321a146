"""What holds for all tests: none asserts a time, and so hypothesis does not either."""

from hypothesis import HealthCheck, settings

settings.register_profile("golf", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("golf")
