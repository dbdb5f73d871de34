#!/usr/bin/env python3
# matmul.py: products of matrices for `dbprof contrast`, a step each in an NVTX range that waits for its work.
#   matmul.py triton --stages N    a Triton kernel whose loop over K has N stages
#   matmul.py torch [--tf32]       torch.matmul in FP32, or with TF32
#   matmul.py net [--compile]      a small network, eager or compiled: --rows N of data with --width N numbers each,
#                                  --layers N of it
# --steps N: so many steps (default 20). Prints nothing, since the two ways of each need not have the same last bits.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument('what', choices=['triton', 'torch', 'net'])
parser.add_argument('--stages', type=int, default=1)
parser.add_argument('--steps', type=int, default=20)
parser.add_argument('--size', type=int, default=2048)
parser.add_argument('--rows', type=int, default=4096)
parser.add_argument('--width', type=int, default=1024)
parser.add_argument('--layers', type=int, default=4)
parser.add_argument('--tf32', action='store_true')
parser.add_argument('--compile', action='store_true')
asked = parser.parse_args()


def triton_product():
    import triton
    import triton.language as tl

    @triton.jit
    def product(a, b, c, n, TILE: tl.constexpr, DEPTH: tl.constexpr, STAGES: tl.constexpr):
        row = tl.program_id(0) * TILE + tl.arange(0, TILE)
        column = tl.program_id(1) * TILE + tl.arange(0, TILE)
        k = tl.arange(0, DEPTH)
        total = tl.zeros((TILE, TILE), dtype=tl.float32)
        for start in tl.range(0, n, DEPTH, num_stages=STAGES):
            left = tl.load(a + row[:, None] * n + (start + k)[None, :])
            right = tl.load(b + (start + k)[:, None] * n + column[None, :])
            total = tl.dot(left, right, total)
        tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16))

    n = asked.size
    a, b = (torch.randn(n, n, device='cuda', dtype=torch.float16) for _ in range(2))
    c = torch.empty_like(a)
    return lambda: product[(n // 64, n // 64)](a, b, c, n, TILE=64, DEPTH=32, STAGES=asked.stages, num_warps=4)


def torch_product():
    torch.backends.cuda.matmul.allow_tf32 = asked.tf32
    a, b = (torch.randn(asked.size, asked.size, device='cuda') for _ in range(2))
    return lambda: a @ b


def network():
    n = asked.width
    layers = [torch.nn.Sequential(torch.nn.Linear(n, n), torch.nn.GELU(), torch.nn.LayerNorm(n)) for _ in range(asked.layers)]
    model = torch.nn.Sequential(*layers).cuda().eval()
    model = torch.compile(model) if asked.compile else model
    data = torch.randn(asked.rows, n, device='cuda')
    return lambda: model(data)


step = {'triton': triton_product, 'torch': torch_product, 'net': network}[asked.what]()
with torch.no_grad():
    for _ in range(asked.steps):
        torch.cuda.nvtx.range_push('step')
        for _ in range(10):
            step()
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()
