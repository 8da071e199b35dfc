"""Twenty questions about 2^26 ints on a device, by CuPy: what funnel.bench.ResidentQuestions asks."""

import sys
import time

import cupy as cp
import numpy as np

RUNS = 20
n = 1 << int(sys.argv[1] if len(sys.argv) > 1 else 26)
i = np.arange(n, dtype=np.uint32)
h = i * np.uint32(0x9E3779B1)  # what the Java program computes, too
h ^= h >> np.uint32(15)
h *= np.uint32(0x85EBCA77)
h ^= h >> np.uint32(13)
x = cp.asarray((h & np.uint32((1 << 20) - 1)).astype(np.int32))
k = 1_038_000

questions = [
    ("sum", lambda: int(x.sum(dtype=cp.int64))),
    ("max", lambda: int(x.max())),
    ("min", lambda: int(x.min())),
    ("mean", lambda: float(x.mean())),
    ("variance", lambda: float(x.var())),
    ("argMax", lambda: int(x.argmax())),
    ("filter, count", lambda: int((x > k).sum())),
    ("filter, sum", lambda: int(x[x > k].sum(dtype=cp.int64))),
    ("filter, to host", lambda: x[x > k].get().size),
    ("any", lambda: bool((x == -1).any())),
    ("map, sum", lambda: float(cp.sqrt(x.astype(cp.float64)).sum())),
    ("differences, max", lambda: int(cp.diff(x).max())),
    ("histogram", lambda: int(cp.histogram(x, bins=256, range=(0, 1 << 20))[0][255])),
    ("remainders, counts", lambda: int(cp.bincount(x % 1000, minlength=1000)[999])),
    ("cumsum, last", lambda: int(cp.cumsum(x, dtype=cp.int32)[-1])),
    ("sort, last", lambda: int(cp.sort(x)[-1])),
    ("order, last", lambda: int(cp.argsort(x)[-1])),
    ("unique, count", lambda: int(cp.unique(x).size)),
    ("top ten, least", lambda: int(cp.sort(cp.partition(x, n - 10)[-10:])[0])),
    ("median", lambda: int(cp.partition(x, n // 2 - 1)[n // 2 - 1])),
]

print(f"cupy {cp.__version__}, {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}, n={n}")
for name, ask in questions:
    begin = time.perf_counter()
    result = ask()
    first = time.perf_counter() - begin
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        ask()
        times.append(time.perf_counter() - begin)
    print(f"cupy | {name} | first {first * 1e3:.2f} ms | median {sorted(times)[RUNS // 2] * 1e3:.3f} ms | {result}")
