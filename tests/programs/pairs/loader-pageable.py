"""loader-pageable.py: trains on batches of features from pageable memory. after() has them in pinned memory and copies the next one
meanwhile.

Before the training the same net is tried with a few batches that are in pinned memory: what the copies would take from there.
For the usage see pair.py.
"""
import torch
from torch import nn

import pair

BATCH, WIDTH = 2048, 4096


def net():
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 10))


class Program:
    def __init__(self, buffers):
        self.batches = [(torch.randn(BATCH, WIDTH), torch.randint(10, (BATCH,))) for _ in range(4)]
        self.pinned = [tuple(t.pin_memory() for t in batch) for batch in self.batches]
        self.training = pair.Training(net(), nn.functional.cross_entropy)
        self.start, self.result = self.training.start, self.training.result
        self.ahead = pair.Ahead(self.pinned, buffers)
        with torch.no_grad():
            for features, labels in self.pinned:
                nn.functional.cross_entropy(self.training.model(features.to("cuda")), labels.to("cuda")).item()

    def before(self, rounds):
        for r in range(rounds):
            features, labels = self.batches[r % len(self.batches)]
            self.training.step(features.to("cuda"), labels.to("cuda"))

    def after(self, rounds):
        for features, labels in self.ahead.rounds(rounds):
            self.training.step(features, labels)


pair.main(Program, 40, "epoch")
