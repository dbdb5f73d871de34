"""points.py: kernels of Triton whose loop has one to six stages: what more stages bring, as measured.

A point is a kernel, its type, tile and shape. For each point and number of stages a CUDA graph of launches is timed by events, the
stages by turns, forwards and backwards, without CUPTI. Caches are as the launches leave them.

usage: points.py compile PART PARTS   compiles a part of all kernels into Triton's cache, so that processes can share the work
       points.py time [KIND]...       prints a line for each point and number of stages:
                                      KIND POINT STAGES NS LOW HIGH REGISTERS SHARED SPILLS HASH
NS is the median of the turns' times per launch, LOW and HIGH the quartiles. HASH is of the machine code. A number of stages that does
not fit has the reason in place of NS. truth.py makes a table of what several processes printed.
"""
import hashlib
import statistics
import sys

import torch
import triton
import triton.language as tl

STAGES = range(1, 7)
TURNS = 15
BATCH_NS = 300_000
TYPES = {'fp16': torch.float16, 'bf16': torch.bfloat16, 'tf32': torch.float32, 'fp32': torch.float32}


@triton.jit
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, EXACT: tl.constexpr, STAGES: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        left = tl.load(a + row[:, None] * k + (start + inner)[None, :])
        right = tl.load(b + (start + inner)[:, None] * n + column[None, :])
        total = tl.dot(left, right, total, input_precision='ieee' if EXACT else 'tf32')
    tl.store(c + row[:, None] * n + column[None, :], total.to(c.dtype.element_ty))


class Product:
    """c = a b: a has m x k elements, b k x n."""

    kind = 'product'

    def __init__(self, type, shape, tile, warps):
        self.type, self.shape, self.tile, self.warps = type, shape, tile, warps
        self.name = '%s-%dx%dx%d-tile-%dx%dx%d-warps-%d' % (type, *shape, *tile, warps)

    def arguments(self):
        m, n, k = self.shape
        a, b = (torch.randn(*size, device='cuda').to(TYPES[self.type]) for size in ((m, k), (k, n)))
        return a, b, torch.empty(m, n, device='cuda', dtype=TYPES[self.type]), m, n, k

    def launch(self, arguments, stages, **how):
        (m, n, _), (M, N, K) = self.shape, self.tile
        options = dict(M=M, N=N, K=K, EXACT=self.type == 'fp32', STAGES=stages, num_warps=self.warps)
        if how:
            return product.warmup(*arguments, **options, **how)
        return product[(m // M, n // N)](*arguments, **options)

    def abstract(self):
        return (*[TYPES[self.type]] * 3, *self.shape)


def points():
    small, large, deep, flat = (1024, 1024, 1024), (4096, 4096, 4096), (512, 512, 8192), (8192, 256, 2048)
    for type in ('fp16', 'bf16', 'tf32', 'fp32'):
        yield Product(type, small, (64, 64, 32), 4)
        yield Product(type, small, (32, 32, 64), 4)
        yield Product(type, deep, (64, 64, 32), 4)
        yield Product(type, flat, (64, 128, 32), 8)
        yield Product(type, large, (64, 64, 32), 4)
        yield Product(type, large, (128, 64, 32), 4)
        yield Product(type, large, (128, 128, 32), 8)


def compile_part(part, parts):
    every = [(point, stages) for point in points() for stages in STAGES]
    for point, stages in every[part::parts]:
        point.launch(point.abstract(), stages, grid=(1,))


def graph_of(point, arguments, stages, launches):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(launches):
            point.launch(arguments, stages)
    return graph


def elapsed_ns(graph):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    graph.replay()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e6


def launches_for(point, arguments, stages):
    graph = graph_of(point, arguments, stages, 4)
    elapsed_ns(graph)
    return max(4, int(BATCH_NS / (min(elapsed_ns(graph) for _ in range(3)) / 4)))


def fits(point, arguments, stages):
    """The compiled kernel, or why it cannot be launched."""
    try:
        compiled = point.launch(arguments, stages)
        torch.cuda.synchronize()
        return compiled, None
    except triton.runtime.errors.OutOfResources as reason:
        return None, 'shared-memory' if 'shared' in str(reason) else 'resources'


def time_point(point):
    arguments, compiled, graphs = point.arguments(), {}, {}
    for stages in STAGES:
        compiled[stages], why = fits(point, arguments, stages)
        if why:
            print(point.kind, point.name, stages, why)
            continue
        launches = launches_for(point, arguments, stages)
        graphs[stages] = graph_of(point, arguments, stages, launches), launches
    times = {stages: [] for stages in graphs}
    for turn in range(TURNS + 2):
        for stages in sorted(graphs, reverse=turn % 2 == 1):
            graph, launches = graphs[stages]
            times[stages].append(elapsed_ns(graph) / launches)
    for stages, all_turns in times.items():
        low, middle, high = statistics.quantiles(all_turns[2:], n=4)
        it = compiled[stages]
        code = hashlib.sha256(it.asm['cubin']).hexdigest()[:16]
        print(point.kind, point.name, stages, '%.1f %.1f %.1f' % (middle, low, high), it.n_regs, it.metadata.shared, it.n_spills, code)


if sys.argv[1] == 'compile':
    compile_part(int(sys.argv[2]), int(sys.argv[3]))
else:
    torch.manual_seed(1)
    for each in points():
        if not sys.argv[2:] or each.kind in sys.argv[2:]:
            time_point(each)
