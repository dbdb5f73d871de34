"""item.py: trains with batches that are copied ahead already, and asks for the loss of each step with item(). after() takes the loss
a step later: it is copied to pinned memory meanwhile.

Little is to be gained. For the usage see pair.py.
"""
import torch
from torch import nn

import pair

BATCH, WIDTH = 2048, 4096


def net():
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 10))


class Program:
    def __init__(self, buffers):
        batches = [(torch.randn(BATCH, WIDTH).pin_memory(), torch.randint(10, (BATCH,)).pin_memory()) for _ in range(4)]
        self.training = pair.Training(net(), nn.functional.cross_entropy)
        self.ahead = pair.Ahead(batches, 2)  # in both ways
        self.loss = [torch.empty(()).pin_memory() for _ in range(buffers)]
        self.copied = [torch.cuda.Event() for _ in range(buffers)]
        self.total = 0.0

    def start(self):
        self.training.start()
        self.total = 0.0

    def result(self):
        return self.total

    def before(self, rounds):
        for features, labels in self.ahead.rounds(rounds):
            self.total += self.training.step(features, labels).item()

    def after(self, rounds):
        late = len(self.loss) - 1
        for r, (features, labels) in enumerate(self.ahead.rounds(rounds)):
            i = r % len(self.loss)
            self.loss[i].copy_(self.training.step(features, labels).detach(), non_blocking=True)
            self.copied[i].record()
            if r >= late:
                self.take((r - late) % len(self.loss))
        for r in range(max(rounds - late, 0), rounds):
            self.take(r % len(self.loss))

    def take(self, i):
        self.copied[i].synchronize()
        self.total += self.loss[i].item()


pair.main(Program, 60, "steps")
