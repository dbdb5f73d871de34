#!/usr/bin/env python3
"""own-profiler.py: steps for `dbprof contrast`, of a program that profiles itself, and so has CUPTI of its own.

usage: own-profiler.py torch|proton|both [ROWS]
torch: PyTorch's profiler; proton: Triton's; both: Triton's, then PyTorch's, which keeps CUPTI until the process ends.
A step is an NVTX range that waits for its work. Prints what the profilers saw, which may be nothing:
    torch kernels N
    proton kernels N
    copies of CUPTI N
"""
import json
import os
import sys
import tempfile

import torch

what = sys.argv[1]
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
STEPS, ROUNDS = 20, 10


def work():
    a, b = torch.ones(rows, 1024, device='cuda'), torch.ones(1024, 1024, device='cuda')
    for _ in range(STEPS):
        torch.cuda.nvtx.range_push('step')
        for _ in range(ROUNDS):
            torch.relu(a @ b)
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()


def with_torch():
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        work()
    print('torch kernels', sum(1 for e in profiled.events() if e.device_type == DeviceType.CUDA and 'mem' not in e.name.lower()))


def kernels_below(node):
    return node.get('metrics', {}).get('count', 0) + sum(map(kernels_below, node.get('children', [])))


def with_proton():
    import triton.profiler as proton

    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'profile')
        proton.start(name, hook=None)
        work()
        proton.finalize()
        try:
            with open(name + '.hatchet') as file:
                seen = kernels_below(json.load(file)[0])
        except FileNotFoundError:
            seen = 0
    print('proton kernels', seen)


if what in ('proton', 'both'):
    with_proton()
if what in ('torch', 'both'):
    with_torch()
with open('/proc/self/maps') as maps:
    print('copies of CUPTI', len({line.split()[-1] for line in maps if 'libcupti' in line}))
