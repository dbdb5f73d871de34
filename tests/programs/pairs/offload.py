"""offload.py: the optimizer's state of each layer is in pinned memory. A round is a layer: its state comes in, its gradient is computed,
Adam updates both, and the state goes out. after() has several buffers, a stream for copies in and one for copies out.

For the usage see pair.py.
"""
import torch

import pair

LAYERS, INPUTS, OUTPUTS, BATCH = 8, 4096, 2048, 8192


class Program:
    def __init__(self, buffers):
        self.weights = [torch.zeros(INPUTS, OUTPUTS, device="cuda") for _ in range(LAYERS)]
        self.state = [[torch.zeros(INPUTS, OUTPUTS).pin_memory() for _ in range(2)] for _ in range(LAYERS)]
        self.activations = torch.randn(BATCH, INPUTS, device="cuda")
        self.errors = torch.randn(BATCH, OUTPUTS, device="cuda")
        self.gradient = torch.empty(INPUTS, OUTPUTS, device="cuda")
        self.update = torch.empty(INPUTS, OUTPUTS, device="cuda")
        self.buffers = [[torch.empty(INPUTS, OUTPUTS, device="cuda") for _ in range(2)] for _ in range(buffers)]
        self.copies_in, self.copies_out = torch.cuda.Stream(), torch.cuda.Stream()
        self.filled, self.computed, self.written = ([torch.cuda.Event() for _ in range(buffers)] for _ in range(3))

    def start(self):
        for weight, state in zip(self.weights, self.state):
            weight.zero_()
            for moment in state:
                moment.zero_()

    def result(self):
        return sum(w.abs().mean().item() for w in self.weights) + sum(second.mean().item() for _, second in self.state)

    def step(self, layer, first, second):
        torch.mm(self.activations.t(), self.errors, out=self.gradient)
        self.gradient.add_(self.weights[layer], alpha=0.1)
        first.lerp_(self.gradient, 0.1)
        second.mul_(0.999).addcmul_(self.gradient, self.gradient, value=0.001)
        torch.sqrt(second, out=self.update)
        self.weights[layer].addcdiv_(first, self.update.add_(1e-8), value=-1e-3)

    @staticmethod
    def copy(to, of):
        for t, o in zip(to, of):
            t.copy_(o, non_blocking=True)

    def before(self, rounds):
        for r in range(rounds):
            layer, moments = r % LAYERS, self.buffers[0]
            self.copy(moments, self.state[layer])
            self.step(layer, *moments)
            self.copy(self.state[layer], moments)

    def after(self, rounds):
        for r in range(rounds):
            layer, i = r % LAYERS, r % len(self.buffers)
            self.copies_in.wait_event(self.written[i])  # of the round that had these buffers
            with torch.cuda.stream(self.copies_in):
                self.copy(self.buffers[i], self.state[layer])
            self.filled[i].record(self.copies_in)
            torch.cuda.current_stream().wait_event(self.filled[i])
            self.step(layer, *self.buffers[i])
            self.computed[i].record()
            self.copies_out.wait_event(self.computed[i])
            with torch.cuda.stream(self.copies_out):
                self.copy(self.state[layer], self.buffers[i])
            self.written[i].record(self.copies_out)


pair.main(Program, 48, "update")
