"""families.py: the points of the kernels of Triton: which kernel, type, shape, tile and warps, what goes in and what must come out.

The lists at the end are the test set. A new point goes to the end of its kind's list, since its place says with how many stages it runs.
"""
import dataclasses
import typing

try:
    import torch

    import kernels
except ImportError:  # names and places need neither
    torch = kernels = None

TYPES = {'fp16': 'float16', 'bf16': 'bfloat16', 'tf32': 'float32', 'fp32': 'float32', 'int32': 'int32', 'int8': 'int8'}
# Largest error, relative to the largest result. Of INT8 it is one step; INT32 are places, which are right or wrong.
TOLERANCES = {'fp16': 5e-3, 'bf16': 2e-2, 'tf32': 1e-2, 'fp32': 1e-4, 'int32': 0, 'int8': 1e-2}
STAGES = range(1, 7)
# The number of stages as run, by place in the list of a kind.
AS_RUN = (1, 3, 2, 4)


def spoilt(dtype):
    """What no result has."""
    return float('nan') if dtype.is_floating_point else torch.iinfo(dtype).min


@dataclasses.dataclass
class Array:
    """An argument in the GPU's memory: normal numbers, or whole numbers below `below`; the result begins spoilt."""

    type: str
    shape: tuple
    below: int = 0
    result: bool = False

    def make(self):
        if self.below:
            return torch.randint(self.below, self.shape, device='cuda', dtype=torch.int32)
        if self.result:
            return torch.full(self.shape, spoilt(self.dtype()), device='cuda', dtype=self.dtype())
        return torch.randn(self.shape, device='cuda').to(self.dtype())

    def dtype(self):
        return getattr(torch, TYPES[self.type])


def arrays(type, *shapes):
    return [Array(type, shape) for shape in shapes]


def result(type, *shape):
    return Array(type, shape, result=True)


@dataclasses.dataclass
class Point:
    """`expected` makes the result of the arguments in another way. `place` and `as_run` are set by points()."""

    kind: str
    name: str
    function: str
    type: str
    grid: tuple
    warps: int
    arguments: list
    constants: dict
    expected: typing.Callable
    as_run: int = 0

    def kernel(self):
        return (self.kind + '-' + self.name).replace('-', '_')

    def make(self):
        return [each.make() if isinstance(each, Array) else each for each in self.arguments]

    def result(self, made):
        return made[[isinstance(each, Array) and each.result for each in self.arguments].index(True)]

    def code(self):
        return getattr(kernels, self.function)

    def options(self, stages):
        return dict(self.constants, STAGES=stages, NAME=self.kernel(), num_warps=self.warps)

    def launch(self, made, stages):
        return self.code()[self.grid](*made, **self.options(stages))

    def compile(self, stages):
        abstract = [each.dtype() if isinstance(each, Array) else each for each in self.arguments]
        return self.code().warmup(*abstract, grid=self.grid, **self.options(stages))


def sizes(*numbers):
    return 'x'.join(map(str, numbers))


# ---- products ----


def product(type, shape, tile, warps):
    """c = a b: a has m x k elements, b k x n."""
    (m, n, k), (M, N, K) = shape, tile
    name = '%s-%s-tile-%s-warps-%d' % (type, sizes(*shape), sizes(*tile), warps)
    return Point('product', name, 'product', type, (m // M, n // N), warps,
                 [*arrays(type, (m, k), (k, n)), result(type, m, n), m, n, k], dict(M=M, N=N, K=K, EXACT=type == 'fp32'),
                 lambda a, b, *_: a.float() @ b.float())


# ---- attention and convolution ----


def attention(type, heads, length, head, tile, warps, causal=False):
    name = 'attention-%s-%s%s-tile-%s-warps-%d' % (type, sizes(heads, length, head), '-causal' if causal else '', sizes(*tile), warps)
    shape = (heads, length, head)
    scale = head ** -0.5

    def expected(q, k, v, *_):
        score = (q.float() @ k.float().transpose(1, 2)) * scale
        if causal:
            score.masked_fill_(torch.ones(length, length, device=q.device, dtype=torch.bool).triu(1), float('-inf'))
        return torch.softmax(score, 2) @ v.float()

    return Point('attention', name, 'attention', type, (length // tile[0], heads), warps,
                 [*arrays(type, shape, shape, shape), result(type, *shape), scale * 1.4426950408889634, length],
                 dict(HEAD=head, M=tile[0], N=tile[1], CAUSAL=causal), expected)


def convolved(image, weight, taps, groups):
    """The result with channels innermost, as the kernels have it; `weight` has the taps' rows, columns, then channels and filters."""
    padding = taps[0] // 2, taps[1] // 2
    moved = weight.float().view(*taps, -1, weight.shape[-1]).permute(3, 2, 0, 1)
    return torch.nn.functional.conv2d(image.float().permute(0, 3, 1, 2), moved, padding=padding, groups=groups).permute(0, 2, 3, 1)


def convolution(type, image, filters, taps, tile, warps):
    """`image` is pictures, height, width and channels."""
    pictures, height, width, channels = image
    M, N, K = tile
    name = 'convolution-%s-%s-filters-%d-taps-%s-tile-%s-warps-%d' % (type, sizes(*image), filters, sizes(*taps), sizes(*tile), warps)
    return Point('attention', name, 'convolution', type, (pictures * height * width // M, filters // N), warps,
                 [*arrays(type, image, (taps[0] * taps[1] * channels, filters)), result(type, pictures, height, width, filters),
                  height, width, channels, filters], dict(TALL=taps[0], WIDE=taps[1], M=M, N=N, K=K, EXACT=type == 'fp32'),
                 lambda x, weight, *_: convolved(x, weight, taps, 1))


def depthwise(type, image, taps, tile, warps):
    pictures, height, width, channels = image
    name = 'depthwise-%s-%s-taps-%s-tile-%s-warps-%d' % (type, sizes(*image), sizes(*taps), sizes(*tile), warps)
    return Point('attention', name, 'depthwise', type, (pictures * height * width // tile[0], channels // tile[1]), warps,
                 [*arrays(type, image, (taps[0] * taps[1], channels)), result(type, *image), height, width, channels],
                 dict(TALL=taps[0], WIDE=taps[1], M=tile[0], N=tile[1]), lambda x, weight, *_: convolved(x, weight, taps, channels))


# ---- loads without a product ----


def load(function, type, shape, tile, warps, grid, arguments, constants, expected, more=''):
    name = '%s-%s-%s%s-tile-%s-warps-%d' % (function.replace('_', '-'), type, sizes(*shape), more, sizes(*tile), warps)
    return Point('load', name, function, type, grid, warps, arguments, constants, expected)


def softmax(type, rows, columns, tile, warps):
    shape = (rows, columns)
    return load('softmax', type, shape, (tile,), warps, (rows,), [Array(type, shape), result(type, *shape), columns], dict(N=tile),
                lambda x, *_: torch.softmax(x.float(), 1))


def layer_norm(type, rows, columns, tile, warps):
    shape = (rows, columns)
    return load('layer_norm', type, shape, (tile,), warps, (rows,),
                [*arrays(type, shape, (columns,), (columns,)), result(type, *shape), columns], dict(N=tile),
                lambda x, weight, bias, *_: torch.nn.functional.layer_norm(x.float(), (columns,), weight.float(), bias.float(), 1e-5))


def sum_rows(type, rows, columns, tile, warps, work=0):
    def expected(x, *_):
        value = x.float()
        for _ in range(work):
            value = torch.exp(-value * value)
        return value.sum(1)

    return load('sum_rows', type, (rows, columns), tile, warps, (rows // tile[0],), [Array(type, (rows, columns)), result('fp32', rows), columns],
                dict(M=tile[0], N=tile[1], WORK=work), expected, '-work-%d' % work)


def sum_columns(type, rows, columns, parts, tile, warps):
    return load('sum_columns', type, (rows, columns), tile, warps, (columns // tile[1], parts),
                [Array(type, (rows, columns)), result('fp32', parts, columns), rows // parts, columns], dict(M=tile[0], N=tile[1]),
                lambda x, *_: x.float().view(parts, rows // parts, columns).sum(1), '-parts-%d' % parts)


def stencil_line(programs, count, points, tile, warps):
    def expected(x, *_):
        return sum((i + 1) * x[i:i + programs * count] for i in range(points))

    return load('stencil_line', 'fp32', (programs, count), (tile,), warps, (programs,),
                [Array('fp32', (programs * count + points - 1,)), result('fp32', programs * count), count], dict(N=tile, POINTS=points),
                expected, '-points-%d' % points)


def stencil_plane(rows, columns, parts, tile, warps):
    pitch = columns + 32

    def expected(x, *_):
        up, middle, down = x[:-2], x[1:-1], x[2:]
        beside = middle[:, 15:15 + columns] + middle[:, 17:17 + columns]
        return beside + up[:, 16:16 + columns] + down[:, 16:16 + columns] - 4 * middle[:, 16:16 + columns]

    return load('stencil_plane', 'fp32', (rows, columns), (tile,), warps, (columns // tile, parts),
                [Array('fp32', (rows + 2, pitch)), result('fp32', rows, columns), rows // parts, columns, pitch], dict(N=tile), expected,
                '-parts-%d' % parts)


def gather_rows(type, bags, count, table, tile, warps):
    def expected(values, index, *_):
        return torch.stack([values[each.long()].float().sum(0) for each in index])

    return load('gather_rows', type, (bags, count), tile, warps, (bags, table[1] // tile[1]),
                [Array(type, table), Array('int32', (bags, count), below=table[0]), result('fp32', bags, table[1]), count, table[1]],
                dict(M=tile[0], N=tile[1]), expected, '-from-%s' % sizes(*table))


def gather_elements(programs, count, elements, tile, warps):
    return load('gather_elements', 'fp32', (programs, count), (tile,), warps, (programs,),
                [Array('fp32', (elements,)), Array('int32', (programs * count,), below=elements), result('fp32', programs * count), count],
                dict(N=tile), lambda x, index, *_: x[index.long()], '-from-%d' % elements)


def axpy(type, programs, count, tile, warps):
    return load('axpy', type, (programs, count), (tile,), warps, (programs,),
                [*arrays(type, (count,), (count,)), result(type, count), 0.5, count], dict(N=tile),
                lambda x, y, *_: x.float() * 0.5 + y.float())


def dot(type, programs, count, tile, warps):
    def expected(x, y, *_):
        every = x.float() * y.float()
        rounds = -(-count // (programs * tile))
        every = torch.nn.functional.pad(every, (0, rounds * programs * tile - count))
        return every.view(rounds, programs, tile).double().sum((0, 2))

    return load('dot', type, (programs, count), (tile,), warps, (programs,), [*arrays(type, (count,), (count,)), result('fp32', programs), count],
                dict(N=tile), expected)


def prefix_sum(rows, columns, tile, warps):
    shape = (rows, columns)
    return load('prefix_sum', 'fp32', shape, tile, warps, (rows // tile[0],), [Array('fp32', shape), result('fp32', *shape), columns],
                dict(M=tile[0], N=tile[1]), lambda x, *_: x.double().cumsum(1))


# ---- the set ----


def products():
    small, large, deep, flat = (1024, 1024, 1024), (4096, 4096, 4096), (512, 512, 8192), (8192, 256, 2048)
    for type in ('fp16', 'bf16', 'tf32', 'fp32'):
        yield product(type, small, (64, 64, 32), 4)
        yield product(type, small, (32, 32, 64), 4)
        yield product(type, deep, (64, 64, 32), 4)
        yield product(type, flat, (64, 128, 32), 8)
        yield product(type, large, (64, 64, 32), 4)
        yield product(type, large, (128, 64, 32), 4)
        yield product(type, large, (128, 128, 32), 8)
    middle = (2048, 2048, 2048)
    yield product('bf16', middle, (64, 64, 64), 4)
    yield product('fp16', middle, (128, 128, 64), 8)
    yield product('tf32', middle, (64, 32, 32), 4)
    yield product('fp16', middle, (64, 32, 64), 2)
    yield product('fp32', middle, (32, 32, 32), 2)
    yield product('bf16', (1024, 4096, 512), (64, 128, 64), 4)


def attentions():
    yield attention('fp16', 16, 4096, 64, (64, 64), 4)
    yield attention('fp16', 16, 4096, 64, (128, 64), 4, causal=True)
    yield attention('fp16', 16, 4096, 128, (128, 64), 8)
    yield attention('fp16', 16, 4096, 128, (64, 32), 4, causal=True)
    yield attention('fp16', 32, 1024, 64, (128, 32), 4)
    yield attention('fp16', 8, 8192, 64, (128, 128), 8)
    yield attention('bf16', 16, 4096, 64, (64, 32), 4)
    yield attention('bf16', 64, 512, 64, (64, 64), 4)
    yield attention('bf16', 16, 2048, 128, (64, 64), 4)
    yield attention('bf16', 16, 2048, 128, (128, 32), 8, causal=True)
    yield attention('fp16', 128, 256, 64, (32, 32), 2, causal=True)
    yield attention('fp16', 32, 2048, 64, (32, 64), 4)
    yield attention('bf16', 32, 2048, 64, (16, 64), 2)
    yield attention('fp16', 132, 512, 128, (64, 64), 4)
    yield attention('tf32', 16, 2048, 64, (64, 32), 4)
    yield attention('tf32', 16, 1024, 64, (32, 32), 4, causal=True)
    yield attention('bf16', 16, 8192, 128, (128, 64), 8, causal=True)
    yield attention('bf16', 66, 1024, 64, (64, 32), 2, causal=True)
    yield convolution('fp16', (8, 56, 56, 64), 64, (3, 3), (64, 64, 32), 4)
    yield convolution('fp16', (32, 28, 28, 128), 128, (3, 3), (128, 64, 32), 4)
    yield convolution('bf16', (32, 14, 14, 256), 256, (3, 3), (64, 64, 64), 4)
    yield convolution('fp16', (16, 7, 7, 512), 512, (3, 3), (16, 64, 64), 4)
    yield convolution('tf32', (8, 28, 28, 64), 128, (3, 3), (64, 64, 32), 4)
    yield convolution('bf16', (4, 112, 112, 32), 64, (5, 5), (128, 64, 32), 8)
    yield convolution('fp16', (1, 256, 256, 64), 64, (3, 3), (128, 64, 64), 4)
    yield convolution('fp16', (16, 1, 4096, 128), 128, (1, 5), (64, 128, 32), 8)
    yield convolution('bf16', (8, 1, 8192, 64), 64, (1, 9), (64, 64, 64), 4)
    yield convolution('fp16', (32, 28, 28, 256), 64, (1, 1), (64, 64, 64), 4)
    yield convolution('tf32', (4, 1, 4096, 64), 64, (1, 3), (32, 32, 32), 2)
    yield convolution('fp32', (2, 32, 32, 64), 64, (3, 3), (32, 32, 32), 4)
    yield depthwise('fp16', (32, 28, 28, 256), (3, 3), (32, 64), 4)
    yield depthwise('fp32', (8, 56, 56, 128), (7, 7), (16, 128), 4)
    yield depthwise('bf16', (16, 56, 56, 128), (5, 5), (64, 64), 8)
    yield depthwise('fp32', (8, 1, 4096, 256), (1, 9), (32, 64), 2)
    yield depthwise('fp16', (4, 112, 112, 64), (7, 7), (64, 32), 4)


def loads():
    yield softmax('fp32', 132, 262144, 1024, 4)
    yield softmax('fp16', 4096, 32768, 2048, 4)
    yield softmax('fp32', 4096, 4096, 1024, 4)
    yield softmax('bf16', 264, 131072, 512, 2)
    yield softmax('fp32', 1024, 8192, 2048, 8)
    yield softmax('fp16', 128, 16384, 256, 2)
    yield layer_norm('fp16', 8192, 8192, 1024, 4)
    yield layer_norm('fp32', 132, 131072, 2048, 8)
    yield layer_norm('bf16', 2048, 4096, 512, 2)
    yield layer_norm('fp32', 512, 32768, 4096, 8)
    yield layer_norm('fp16', 264, 65536, 512, 2)
    yield sum_rows('fp32', 4096, 16384, (16, 64), 4)
    yield sum_rows('fp16', 8192, 16384, (32, 128), 4)
    yield sum_rows('fp32', 1056, 65536, (4, 256), 2)
    yield sum_rows('bf16', 2112, 8192, (16, 128), 8)
    yield sum_rows('fp32', 2112, 16384, (8, 128), 4, work=4)
    yield sum_rows('fp32', 4224, 4096, (16, 128), 8, work=16)
    yield sum_rows('fp16', 1056, 2048, (8, 64), 2)
    yield sum_columns('fp32', 16384, 4096, 8, (16, 64), 4)
    yield sum_columns('fp16', 16384, 8192, 4, (32, 128), 4)
    yield sum_columns('fp32', 8192, 2112, 4, (16, 64), 2)
    yield sum_columns('bf16', 4096, 2048, 16, (8, 256), 8)
    yield stencil_line(1056, 65536, 3, 1024, 4)
    yield stencil_line(264, 131072, 5, 512, 2)
    yield stencil_line(132, 16384, 3, 2048, 8)
    yield stencil_plane(8192, 8192, 32, 1024, 4)
    yield stencil_plane(2048, 2048, 32, 512, 4)
    yield stencil_plane(4096, 16384, 32, 2048, 8)
    yield stencil_plane(4096, 8192, 8, 256, 2)
    yield gather_rows('fp32', 1024, 256, (65536, 256), (8, 128), 4)
    yield gather_rows('fp16', 2048, 128, (262144, 256), (16, 256), 4)
    yield gather_rows('fp32', 264, 512, (16384, 128), (16, 128), 2)
    yield gather_rows('bf16', 528, 1024, (131072, 128), (32, 128), 8)
    yield gather_rows('fp32', 132, 2048, (524288, 64), (16, 64), 4)
    yield gather_elements(528, 65536, 1 << 26, 1024, 4)
    yield gather_elements(264, 32768, 1 << 21, 512, 4)
    yield gather_elements(1056, 16384, 1 << 23, 256, 2)
    yield gather_elements(132, 65536, 1 << 20, 2048, 8)
    yield axpy('fp32', 132, 1 << 26, 1024, 4)
    yield axpy('fp32', 528, 1 << 26, 2048, 8)
    yield axpy('fp16', 264, 1 << 26, 1024, 2)
    yield axpy('fp32', 1056, 1 << 22, 256, 2)
    yield dot('fp32', 132, 1 << 26, 2048, 4)
    yield dot('bf16', 528, 1 << 26, 1024, 4)
    yield dot('fp32', 264, 1 << 22, 512, 2)
    yield dot('fp16', 132, 1 << 24, 4096, 8)
    yield prefix_sum(1056, 32768, (1, 1024), 4)
    yield prefix_sum(264, 131072, (1, 2048), 8)
    yield prefix_sum(4224, 4096, (4, 256), 4)
    yield prefix_sum(528, 8192, (1, 512), 2)
