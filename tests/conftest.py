"""What holds for all tests, however they were started."""

import signal

from hypothesis import HealthCheck, settings

# No test asserts a time, and so hypothesis does not either.
settings.register_profile("golf", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("golf")

# A shell starts what runs in its background deaf to interrupts, and some tests interrupt themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)
