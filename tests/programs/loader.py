"""loader.py: a training loop that copies each batch to the GPU, in one stream; with --double-buffer the next one meanwhile.

usage: loader.py [--double-buffer] [--steps N]
A small vision transformer, batches of 256 images in pinned memory. "fetch" and "train" are NVTX ranges in a range "loop".
With --double-buffer a stream of its own fetches batch i + 1 while batch i is trained on. Prints "steps N images_per_s X loss Y".
"""
import argparse
import time

import torch
from torch import nn

BATCH, SIDE, PATCH, WIDTH = 256, 224, 16, 384


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(3, WIDTH, PATCH, stride=PATCH)
        self.block = nn.TransformerEncoderLayer(WIDTH, 6, 4 * WIDTH, dropout=0.0, batch_first=True)
        self.head = nn.Linear(WIDTH, 10)

    def forward(self, images):
        return self.head(self.block(self.embed(images).flatten(2).transpose(1, 2)).mean(1))


class Loader:
    """Batches in turn from pinned memory: `fetch` begins the copies of the next one in the current stream."""

    def __init__(self):
        self.images = [torch.randn(BATCH, 3, SIDE, SIDE).pin_memory() for _ in range(4)]
        self.labels = [torch.randint(10, (BATCH,)).pin_memory() for _ in range(4)]
        self.next = 0

    def fetch(self):
        i = self.next % len(self.images)
        self.next += 1
        with torch.cuda.nvtx.range("fetch"):
            return self.images[i].to("cuda", non_blocking=True), self.labels[i].to("cuda", non_blocking=True)


class Trainer:
    def __init__(self):
        self.model = Model().cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def train(self, images, labels):
        with torch.cuda.nvtx.range("train"):
            self.optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(self.model(images), labels)
            loss.backward()
            self.optimizer.step()
        return loss


def single(loader, trainer, steps):
    for _ in range(steps):
        loss = trainer.train(*loader.fetch())
    return loss


def double(loader, trainer, steps):
    copies = torch.cuda.Stream()
    compute = torch.cuda.current_stream()

    def prefetch():
        copies.wait_stream(compute)  # the memory of the last batch but one is free again
        with torch.cuda.stream(copies):
            return loader.fetch()

    batch = prefetch()
    for _ in range(steps):
        compute.wait_stream(copies)
        for tensor in batch:
            tensor.record_stream(compute)
        current, batch = batch, prefetch()
        loss = trainer.train(*current)
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--double-buffer", action="store_true")
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()
    torch.manual_seed(1)
    loop = double if args.double_buffer else single
    loader, trainer = Loader(), Trainer()
    loop(loader, trainer, 5)  # clocks go up, libraries load
    torch.cuda.synchronize()
    start = time.perf_counter()
    with torch.cuda.nvtx.range("loop"):
        loss = loop(loader, trainer, args.steps)
        torch.cuda.synchronize()
    seconds = time.perf_counter() - start
    print(f"steps {args.steps} images_per_s {args.steps * BATCH / seconds:.0f} loss {loss.item():.4f}")


main()
