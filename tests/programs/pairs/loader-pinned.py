"""loader-pinned.py: trains a convolution net; each step copies its batch from pinned memory. after() copies the next one meanwhile.

For the usage see pair.py.
"""
import torch
from torch import nn

import pair

BATCH, SIDE = 64, 256


def net():
    def layer(inputs, outputs):
        return [nn.Conv2d(inputs, outputs, 3, stride=2, padding=1), nn.ReLU()]

    return nn.Sequential(*layer(3, 64), *layer(64, 128), *layer(128, 256), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10))


class Program:
    def __init__(self, buffers):
        self.batches = [
            (torch.randn(BATCH, 3, SIDE, SIDE).pin_memory(), torch.randint(10, (BATCH,)).pin_memory()) for _ in range(4)
        ]
        self.training = pair.Training(net(), nn.functional.cross_entropy)
        self.start, self.result = self.training.start, self.training.result
        self.ahead = pair.Ahead(self.batches, buffers)

    def before(self, rounds):
        for r in range(rounds):
            images, labels = self.batches[r % len(self.batches)]
            self.training.step(images.to("cuda", non_blocking=True), labels.to("cuda", non_blocking=True))

    def after(self, rounds):
        for images, labels in self.ahead.rounds(rounds):
            self.training.step(images, labels)


pair.main(Program, 50, "epoch")
