"""two-streams.py: PyTorch copies chunks in, multiplies them, copies them out: in one stream, then in two with two buffers.

usage: two-streams.py [--apply] [--chunks N] [--repeat N]
With --apply the range "one stream" does what dbprof advises for it: double buffering, two streams by turns. Nothing else
changes, so its time with and without --apply is the achieved gain. Prints a line per range, times of one repetition:
    range NAME repetitions N kernels N h2d N BYTES d2h N BYTES best_ms T median_ms T
kernels are the multiplications asked for; a library may launch more than one kernel for each.
"""
import argparse
import statistics
import time

import torch

SIZE = 4096  # a float32 matrix of this size is 64 MiB: about 1.2 ms to copy, 2.7 ms to multiply at 50 TFLOP/s


class Loop:
    def __init__(self, chunks):
        self.chunks = chunks
        self.inputs = [torch.ones(SIZE, SIZE, pin_memory=True) for _ in range(2)]
        self.outputs = [torch.empty(SIZE, SIZE, pin_memory=True) for _ in range(2)]
        self.weights = torch.full((SIZE, SIZE), 1.0 / SIZE, device="cuda")
        self.chunk_in = [torch.empty(SIZE, SIZE, device="cuda") for _ in range(2)]
        self.chunk_out = [torch.empty(SIZE, SIZE, device="cuda") for _ in range(2)]
        self.streams = [torch.cuda.Stream() for _ in range(2)]

    def chunk(self, i):
        self.chunk_in[i].copy_(self.inputs[i], non_blocking=True)
        torch.mm(self.chunk_in[i], self.weights, out=self.chunk_out[i])
        self.outputs[i].copy_(self.chunk_out[i], non_blocking=True)

    def one_stream(self):
        with torch.cuda.stream(self.streams[0]):
            for _ in range(self.chunks):
                self.chunk(0)

    def two_streams(self):
        for c in range(self.chunks):
            with torch.cuda.stream(self.streams[c % 2]):
                self.chunk(c % 2)


def measure(name, loop, way, repeat):
    """Each repetition ends with a synchronisation: none overlaps the next."""
    times = []
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push(name)
    for _ in range(repeat):
        start = time.perf_counter()
        way()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    torch.cuda.nvtx.range_pop()
    n = repeat * loop.chunks
    print(
        f"range {name} repetitions {repeat} kernels {n} h2d {n} {n * SIZE * SIZE * 4} d2h {n} {n * SIZE * SIZE * 4} "
        f"best_ms {min(times):.3f} median_ms {statistics.median(times):.3f}"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--apply", action="store_true")
    parser.add_argument("--chunks", type=int, default=24)
    parser.add_argument("--repeat", type=int, default=7)
    args = parser.parse_args()
    torch.set_float32_matmul_precision("highest")  # no TF32
    loop = Loop(args.chunks)
    # Clocks go up, libraries load, and the allocator of each stream has what it needs.
    for way in (loop.one_stream, loop.two_streams):
        way()
    torch.cuda.synchronize()
    measure("one stream", loop, loop.two_streams if args.apply else loop.one_stream, args.repeat)
    measure("two streams", loop, loop.two_streams, args.repeat)
    if not all(bool((out == 1).all()) for out in loop.outputs):
        raise SystemExit("the results are wrong")


main()
