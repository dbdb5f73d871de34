"""server.py: answers requests: copies a batch in, runs a net, copies its answers back, waits for them and looks at them. after() puts
the requests into streams by turns, and waits for one when the next has been asked for.

For the usage see pair.py.
"""
import torch

import pair

BATCH, WIDTH = 4096, 4096


class Program:
    def __init__(self, buffers):
        self.requests = [torch.randn(BATCH, WIDTH).pin_memory() for _ in range(4)]
        self.weights = torch.randn(WIDTH, WIDTH, device="cuda") / WIDTH**0.5
        self.inputs = [torch.empty(BATCH, WIDTH, device="cuda") for _ in range(buffers)]
        self.outputs = [torch.empty(BATCH, WIDTH, device="cuda") for _ in range(buffers)]
        self.answers = [torch.empty(BATCH, WIDTH).pin_memory() for _ in range(buffers)]
        self.streams = [torch.cuda.Stream() for _ in range(buffers)]
        self.total = 0.0

    def start(self):
        self.total = 0.0

    def result(self):
        return self.total

    def ask(self, r, i):
        self.inputs[i].copy_(self.requests[r % len(self.requests)], non_blocking=True)
        torch.mm(self.inputs[i], self.weights, out=self.outputs[i])
        self.outputs[i].tanh_()
        self.answers[i].copy_(self.outputs[i], non_blocking=True)

    def look(self, i):
        self.streams[i].synchronize()
        self.total += self.answers[i][::64].abs().mean().item()

    def before(self, rounds):
        with torch.cuda.stream(self.streams[0]):
            for r in range(rounds):
                self.ask(r, 0)
                self.look(0)

    def after(self, rounds):
        late = len(self.streams) - 1
        for r in range(rounds + late):
            if r < rounds:
                with torch.cuda.stream(self.streams[r % len(self.streams)]):
                    self.ask(r, r % len(self.streams))
            if r >= late:
                self.look((r - late) % len(self.streams))


pair.main(Program, 60)
