"""augment.py: trains a convolution net with pictures of one byte a colour, which the GPU turns, cuts, brightens and makes noisy.

after() copies the next batch meanwhile; the GPU still changes the pictures in the stream of the training. For the usage see pair.py.
"""
import torch
from torch import nn

import pair

BATCH, SIDE, CUT = 256, 256, 224


def net():
    def layer(inputs, outputs):
        return [nn.Conv2d(inputs, outputs, 3, stride=2, padding=1), nn.ReLU()]

    return nn.Sequential(*layer(3, 16), *layer(16, 32), *layer(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class Program:
    def __init__(self, buffers):
        self.batches = [
            (
                torch.randint(256, (BATCH, 3, SIDE, SIDE), dtype=torch.uint8).pin_memory(),
                torch.randint(10, (BATCH,)).pin_memory(),
            )
            for _ in range(4)
        ]
        self.training = pair.Training(net(), nn.functional.cross_entropy)
        self.start, self.result = self.training.start, self.training.result
        self.ahead = pair.Ahead(self.batches, buffers)

    @staticmethod
    def augmented(pictures, r):
        top, left = r * 7 % (SIDE - CUT), r * 11 % (SIDE - CUT)
        images = pictures[:, :, top : top + CUT, left : left + CUT].float() / 255
        if r % 2:
            images = images.flip(3)
        brightness = torch.rand(BATCH, 1, 1, 1, device="cuda") * 0.4 + 0.8
        return images * brightness - 0.5 + torch.randn_like(images) * 0.05

    def before(self, rounds):
        for r in range(rounds):
            pictures, labels = (t.to("cuda", non_blocking=True) for t in self.batches[r % len(self.batches)])
            self.training.step(self.augmented(pictures, r), labels)

    def after(self, rounds):
        for r, (pictures, labels) in enumerate(self.ahead.rounds(rounds)):
            self.training.step(self.augmented(pictures, r), labels)


pair.main(Program, 50)
