"""``cuda`` as kernels spell it: numba-cuda's module, or in the simulator what stands for it.

The simulator exchanges the name ``cuda`` in a kernel's own module while it runs, which fails for
device functions of other modules when several threads come and go; this object asks for the
running kernel's at every use.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.cuda.device import simulated

__all__ = ["cuda"]

if simulated():
    import numba.cuda
    from numba.cuda.simulator import kernel as _simulator

    class _Running:
        def __getattr__(self, name: str) -> Any:
            try:
                return getattr(_simulator._get_kernel_context(), name)
            except (AttributeError, RuntimeError, AssertionError):
                return getattr(numba.cuda, name)

    cuda: Any = _Running()
else:
    from numba import cuda
