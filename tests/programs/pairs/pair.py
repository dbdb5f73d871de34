"""pair.py: what the PyTorch programs of this folder share. Each has one loop, written in two ways: before() does one thing after
the other, after() has several buffers. Nothing else differs, so that the difference of their times is what double buffering saves.

usage: PROGRAM [--before | --after] [--rounds N] [--repeat N] [--buffers K]
Without a way both run by turns. Prints the median time of each way's loops, from its first call to the end of its last work, a
line each:
    before loop_ms T rounds N result R
Ends with status 1 if a result differs from another one.
"""
import argparse
import contextlib
import math
import statistics
import time

import torch


class Ahead:
    """Copies the rounds' batches from pinned memory to one of several buffers, in a stream of its own."""

    def __init__(self, batches, buffers):
        self.batches = batches  # of each a tuple of tensors
        self.copies = torch.cuda.Stream()
        self.buffer = [[torch.empty_like(t, device="cuda") for t in batches[0]] for _ in range(buffers)]
        self.filled = [torch.cuda.Event() for _ in range(buffers)]
        self.free = [torch.cuda.Event() for _ in range(buffers)]

    def begin(self, r):
        i = r % len(self.buffer)
        self.copies.wait_event(self.free[i])
        with torch.cuda.stream(self.copies):
            for to, of in zip(self.buffer[i], self.batches[r % len(self.batches)]):
                to.copy_(of, non_blocking=True)
        self.filled[i].record(self.copies)

    def rounds(self, rounds):
        """The buffers of each round; when the next one is asked for, the work with this one has been asked for."""
        ahead = len(self.buffer) - 1
        for r in range(min(ahead, rounds)):
            self.begin(r)
        for r in range(rounds):
            if r + ahead < rounds:
                self.begin(r + ahead)
            i = r % len(self.buffer)
            torch.cuda.current_stream().wait_event(self.filled[i])
            yield self.buffer[i]
            self.free[i].record()


class Training:
    """A model that always begins with the same weights. step() asks for a step and returns its loss, a tensor."""

    def __init__(self, model, loss):
        self.model = model.cuda()
        self.loss = loss
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        self.first = [p.detach().clone() for p in self.model.parameters()]
        self.last = None

    def start(self):
        torch.manual_seed(1)
        with torch.no_grad():
            for p, first in zip(self.model.parameters(), self.first):
                p.copy_(first)

    def step(self, inputs, labels):
        self.optimizer.zero_grad(set_to_none=True)
        self.last = self.loss(self.model(inputs), labels)
        self.last.backward()
        self.optimizer.step()
        return self.last

    def result(self):
        return self.last.item()


def read_options(rounds, more=None):
    """The options of the usage; more(parser) adds a program's own."""
    parser = argparse.ArgumentParser()
    if more:
        more(parser)
    parser.add_argument("--before", action="store_true")
    parser.add_argument("--after", action="store_true")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--buffers", type=int, default=2)
    options = parser.parse_args()
    options.ways = [w for w in ("before", "after") if getattr(options, w)] or ["before", "after"]
    return options


def loop_ms(program, way, rounds, name):
    program.start()
    loop = getattr(program, way)
    torch.cuda.synchronize()
    with torch.cuda.nvtx.range(name) if name else contextlib.nullcontext():
        start = time.perf_counter()
        loop(rounds)
        torch.cuda.synchronize()
        return (time.perf_counter() - start) * 1e3


def main(make, rounds, name=None):
    """make(buffers) makes a program: start() forgets results, before(rounds) and after(rounds) are its loop, and result() is a
    number. `name` is that of the NVTX range around the timed loop; None: there is none."""
    options = read_options(rounds)
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("highest")  # no TF32: multiplications of a known length
    program = make(options.buffers)
    times = {way: [] for way in options.ways}
    results = []
    for way in options.ways:  # clocks go up, libraries load, the allocator has what it needs
        loop_ms(program, way, max(options.rounds // 4, 5), None)
    for _ in range(options.repeat):
        for way in options.ways:
            times[way].append(loop_ms(program, way, options.rounds, name))
            results.append(program.result())
    if not all(math.isclose(r, results[0], rel_tol=1e-4) for r in results):  # NaN is like nothing
        raise SystemExit(f"one result is not like another: {results}")
    for way in options.ways:
        print(f"{way} loop_ms {statistics.median(times[way]):.3f} rounds {options.rounds} result {results[0]:.6g}")
