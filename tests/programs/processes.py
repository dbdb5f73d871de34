"""processes.py: PyTorch in several processes, started afresh (spawn) as data loaders and ranks are.

usage: processes.py [N]: N processes (3) of which process i copies i + 1 times. Each prints one line, and so does the
parent, which copies once itself:
    process PID h2d N
"""
import multiprocessing
import os
import sys

import torch


def work(copies):
    host = torch.ones(1 << 20, pin_memory=True)
    device = torch.empty(1 << 20, device="cuda")
    for _ in range(copies):
        device.copy_(host, non_blocking=True)
    torch.cuda.synchronize()
    os.write(1, f"process {os.getpid()} h2d {copies}\n".encode())


def main():
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(i + 1,)) for i in range(int((sys.argv[1:] or [3])[0]))]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    work(1)
    raise SystemExit(any(process.exitcode != 0 for process in processes))


if __name__ == "__main__":
    main()
