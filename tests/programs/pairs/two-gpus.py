"""two-gpus.py: data-parallel training on two GPUs, a process each: gradients are averaged by NCCL. The model goes to the GPUs
before the first step. before() copies each step's batch when it is needed, after() copies the next one meanwhile.

usage: two-gpus.py [--before | --after] [--pageable] [--rounds N] [--repeat N] [--buffers K]
With --pageable the batches of before() are in pageable memory. Both ways copy from pinned memory before the training, which tells
what the copies would take from there. Prints what pair.py's programs do: the time of a way is that of the slower process.
"""
import math
import os
import socket
import statistics
import time

import torch
import torch.distributed
import torch.multiprocessing
from torch import nn

import pair

GPUS, LAYERS, BATCH, WIDTH = 2, 4, 2048, 4096


class Program:
    def __init__(self, rank, options):
        torch.manual_seed(1)  # the same weights in each process
        training = pair.Training(
            nn.Sequential(*[nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS)], nn.Linear(WIDTH, 10)), nn.functional.cross_entropy
        )
        training.model = nn.parallel.DistributedDataParallel(training.model, device_ids=[rank])
        self.training, self.start, self.result = training, training.start, training.result
        torch.manual_seed(2 + rank)
        batches = [(torch.randn(BATCH, WIDTH), torch.randint(10, (BATCH,))) for _ in range(4)]
        pinned = [tuple(t.pin_memory() for t in batch) for batch in batches]
        self.batches = batches if options.pageable else pinned
        self.ahead = pair.Ahead(pinned, options.buffers)
        for features, labels in pinned:
            features.to("cuda"), labels.to("cuda")

    def before(self, rounds):
        for r in range(rounds):
            features, labels = self.batches[r % len(self.batches)]
            self.training.step(features.to("cuda", non_blocking=True), labels.to("cuda", non_blocking=True))

    def after(self, rounds):
        for features, labels in self.ahead.rounds(rounds):
            self.training.step(features, labels)


def slowest(value):
    """The largest of the processes' numbers."""
    number = torch.tensor(value, device="cuda", dtype=torch.float64)
    torch.distributed.all_reduce(number, torch.distributed.ReduceOp.MAX)
    return number.item()


def loop_ms(program, way, rounds, name):
    program.start()
    loop = getattr(program, way)
    torch.distributed.barrier()
    torch.cuda.synchronize()
    with torch.cuda.nvtx.range(name):
        start = time.perf_counter()
        loop(rounds)
        torch.cuda.synchronize()
        return slowest((time.perf_counter() - start) * 1e3)


def work(rank, options, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", rank=rank, world_size=GPUS)
    torch.set_float32_matmul_precision("highest")
    program = Program(rank, options)
    times = {way: [] for way in options.ways}
    results = []
    for way in options.ways:
        loop_ms(program, way, max(options.rounds // 4, 5), "warm-up")
    for _ in range(options.repeat):
        for way in options.ways:
            times[way].append(loop_ms(program, way, options.rounds, "epoch"))
            results.append(program.result())
    if not all(math.isclose(r, results[0], rel_tol=1e-4) for r in results):
        raise SystemExit(f"one result is not like another: {results}")
    for way in options.ways if rank == 0 else []:
        print(f"{way} loop_ms {statistics.median(times[way]):.3f} rounds {options.rounds} result {results[0]:.6g}")
    torch.distributed.destroy_process_group()


def main():
    options = pair.read_options(40, lambda parser: parser.add_argument("--pageable", action="store_true"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(work, (options, port), GPUS)


if __name__ == "__main__":
    main()
