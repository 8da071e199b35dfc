"""Windows of 2^27 ints on a device, by CuPy: what `funnel bench scan --windows 7,500,5000` measures."""

import sys
import time

import cupy as cp
from cupyx.scipy.ndimage import maximum_filter1d

RUNS = 20
n = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 27)
print(f"cupy {cp.__version__}, {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}, n={n}")


def rolling_sum(x, rows):
    sums = cp.cumsum(x, dtype=x.dtype)
    result = sums.copy()
    result[rows:] -= sums[:-rows]
    return result


def rolling_max(x, rows):
    return maximum_filter1d(x, rows, mode="nearest", origin=rows // 2 if rows % 2 else rows // 2 - 1)


for dtype in (cp.int32, cp.int64):
    x = cp.random.randint(-1000, 1000, n).astype(dtype)
    for name, window in (("sum", rolling_sum), ("max", rolling_max)):
        for rows in (7, 500, 5000):
            window(x, rows)
            times = []
            for _ in range(RUNS if name == "sum" or rows == 7 else 2):
                cp.cuda.Device().synchronize()
                begin = time.perf_counter()
                window(x, rows)
                cp.cuda.Device().synchronize()
                times.append(time.perf_counter() - begin)
            print(f"cupy | {dtype.__name__} {name} of {rows} | median {sorted(times)[len(times) // 2] * 1e6:.1f} us", flush=True)
