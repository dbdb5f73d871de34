"""server.py: answers requests: copies a batch in, runs a net, copies its answers back, waits for them and looks at them. after() has a
stream each for copies in, the net, and copies out, and waits for a request when the next has been asked for.

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
        self.streams = [torch.cuda.Stream() for _ in range(3)]
        self.copied, self.computed, self.answered = ([torch.cuda.Event() for _ in range(buffers)] for _ in range(3))
        self.total = 0.0

    def start(self):
        self.total = 0.0

    def result(self):
        return self.total

    def copy_in(self, r, i):
        self.inputs[i].copy_(self.requests[r % len(self.requests)], non_blocking=True)

    def compute(self, i):
        torch.mm(self.inputs[i], self.weights, out=self.outputs[i])
        self.outputs[i].tanh_()

    def copy_out(self, i):
        self.answers[i].copy_(self.outputs[i], non_blocking=True)
        self.answered[i].record()

    def look(self, i):
        self.answered[i].synchronize()
        self.total += self.answers[i][::64].abs().mean().item()

    def before(self, rounds):
        with torch.cuda.stream(self.streams[0]):
            for r in range(rounds):
                self.copy_in(r, 0)
                self.compute(0)
                self.copy_out(0)
                self.look(0)

    def after(self, rounds):
        late = len(self.inputs) - 1
        for r in range(rounds + late):
            if r < rounds:
                self.ask(r, r % len(self.inputs))
            if r >= late:
                self.look((r - late) % len(self.inputs))

    def ask(self, r, i):
        copies_in, net, copies_out = self.streams
        with torch.cuda.stream(copies_in):
            copies_in.wait_event(self.computed[i])  # of the request that had this buffer
            self.copy_in(r, i)
            self.copied[i].record()
        with torch.cuda.stream(net):
            net.wait_event(self.copied[i])
            net.wait_event(self.answered[i])
            self.compute(i)
            self.computed[i].record()
        with torch.cuda.stream(copies_out):
            copies_out.wait_event(self.computed[i])
            self.copy_out(i)


pair.main(Program, 60)
