"""The compiled code and nothing else: shuffle, playouts and exact search, with arrays and integers in and out.

One file a kernel: Numba's cache notices a change in the file of the cached function, not in a callee elsewhere. What
kernels of several files call is in the files that `compiler` names.
"""
