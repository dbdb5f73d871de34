"""fused.py: the points of the kernels of fused_kernels.py, as families.py has those of kernels.py: steps of models and of sparse
matrices that people write as one kernel. At most a third of them have a product in their loop.

No model of advice was held against them when they were chosen.
"""
import dataclasses
import typing

from families import Array, Point, arrays, result, sizes, torch

if torch:
    import fused_kernels


class Fused(Point):
    def code(self):
        return getattr(fused_kernels, self.function)


@dataclasses.dataclass
class Given(Array):
    """An argument that `values` makes of a generator of its own, so that all processes have the same."""

    values: typing.Callable = None

    def make(self):
        return self.values(torch.Generator(device='cuda').manual_seed(7)).to(self.dtype())


def shares(type, *shape):
    """Numbers between 0 and 1."""
    return Given(type, shape, values=lambda generator: torch.rand(shape, generator=generator, device='cuda'))


def small(*shape):
    """Scales of whole numbers of eight bits."""
    return Given('fp32', shape, values=lambda generator: torch.rand(shape, generator=generator, device='cuda') / 100)


def whole(below, *shape):
    return Array('int32', shape, below=below)


def signed(*shape):
    """Whole numbers of eight bits."""
    return Given('int8', shape, values=lambda generator: torch.randint(-127, 128, shape, generator=generator, device='cuda', dtype=torch.int8))


def offsets(parts, count):
    """Where each of so many parts of uneven length begins, then the end."""
    def cut(generator):
        cuts = torch.randint(count, (parts - 1,), generator=generator, device='cuda').sort().values
        return torch.nn.functional.pad(torch.nn.functional.pad(cuts, (1, 0)), (0, 1), value=count)

    return Given('int32', (parts + 1,), values=cut)


def sums_between(values, offset):
    """Sums of parts of a vector."""
    before = torch.nn.functional.pad(values.double().cumsum(0), (1, 0))
    return before[offset[1:].long()] - before[offset[:-1].long()]


def up(count, tile):
    return -(-count // tile)


def fused(function, type, shape, tile, warps, grid, arguments, constants, expected, more='', checked=None):
    """`checked` is the type that says how large an error may be, if it is another one than in the name."""
    name = '%s-%s-%s%s-tile-%s-warps-%d' % (function.replace('_', '-'), type, sizes(*shape), more, sizes(*tile), warps)
    return Fused('fused', name, function, checked or type, grid, warps, arguments, constants, expected)


# ---- a row for each program ----


def cross_entropy(type, rows, columns, tile, warps):
    def expected(x, label, *_):
        return torch.softmax(x.float(), 1).scatter_add_(1, label.long()[:, None], torch.full((rows, 1), -1.0, device=x.device))

    return fused('cross_entropy', type, (rows, columns), (tile,), warps, (rows,),
                 [Array(type, (rows, columns)), whole(columns, rows), result(type, rows, columns), columns], dict(N=tile), expected)


def divergence(type, rows, columns, tile, warps):
    def expected(teacher, student, *_):
        known, other = (torch.log_softmax(each.float(), 1) for each in (teacher, student))
        return (known.exp() * (known - other)).sum(1)

    return fused('divergence', type, (rows, columns), (tile,), warps, (rows,),
                 [*arrays(type, (rows, columns), (rows, columns)), result('fp32', rows), columns], dict(N=tile), expected)


def rms_norm_backward(type, rows, columns, tile, warps):
    def expected(x, weight, slope, *_):
        value, change = x.float(), slope.float() * weight.float()
        scale = torch.rsqrt(value.square().mean(1, keepdim=True) + 1e-5)
        return scale * change - value * scale ** 3 * (value * change).mean(1, keepdim=True)

    return fused('rms_norm_backward', type, (rows, columns), (tile,), warps, (rows,),
                 [*arrays(type, (rows, columns), (columns,), (rows, columns)), result(type, rows, columns), columns], dict(N=tile), expected)


def top_one(type, rows, columns, tile, warps):
    def expected(x, *_):
        place = torch.arange(columns, device=x.device)
        return torch.where(x == x.amax(1, keepdim=True), place, columns).amin(1)

    return fused('top_one', type, (rows, columns), (tile,), warps, (rows,), [Array(type, (rows, columns)), result('int32', rows), columns],
                 dict(N=tile), expected, checked='int32')


# ---- programs that stay, and go over rows or elements ----


def stays(programs):
    return '-programs-%d' % programs


def probabilities(type, rows, columns, tile, warps, programs):
    shape = (rows, columns)
    return fused('probabilities', type, shape, (tile,), warps, (programs,), [Array(type, shape), result(type, *shape), rows, columns],
                 dict(N=tile), lambda x, *_: torch.softmax(x.float(), 1), stays(programs))


def residual_norm(type, rows, columns, tile, warps, programs):
    shape = (rows, columns)

    def expected(x, residual, weight, *_):
        value = x.float() + residual.float()
        return value * torch.rsqrt(value.square().mean(1, keepdim=True) + 1e-5) * weight.float()

    return fused('residual_norm', type, shape, (tile,), warps, (programs,),
                 [*arrays(type, shape, shape, (columns,)), result(type, *shape), Array(type, shape), rows, columns], dict(N=tile), expected,
                 stays(programs))


def quantise(type, rows, columns, tile, warps, programs):
    shape = (rows, columns)

    def expected(x, *_):
        return torch.round(x.float() / x.float().abs().amax(1, keepdim=True) * 127)

    return fused('quantise', type, shape, (tile,), warps, (programs,),
                 [Array(type, shape), result('int8', *shape), Array('fp32', (rows,)), rows, columns], dict(N=tile), expected, stays(programs),
                 'int8')


def swiglu(type, rows, columns, tile, warps, programs):
    return fused('swiglu', type, (rows, columns), (tile,), warps, (programs, up(columns, tile)),
                 [Array(type, (rows, 2 * columns)), result(type, rows, columns), rows, columns], dict(N=tile),
                 lambda x, *_: torch.nn.functional.silu(x.float()[:, :columns]) * x.float()[:, columns:], stays(programs))


def adam(type, count, tile, warps, programs):
    """Means are FP32 whatever the type of weights and slopes."""
    def expected(weight, slope, mean, square, *_):
        change = slope.float()
        return weight.float() - 0.1 * (0.9 * mean + 0.1 * change) / (torch.sqrt(0.999 * square + 0.001 * change * change) + 1e-8)

    return fused('adam', type, (count,), (tile,), warps, (programs,),
                 [*arrays(type, (count,), (count,)), Array('fp32', (count,)), shares('fp32', count), result(type, count),
                  *arrays('fp32', (count,), (count,)), 0.1, count], dict(N=tile), expected, stays(programs))


# ---- layers of models ----


def rotary(type, tokens, heads, half, tile, warps):
    shape = (tokens, heads, 2 * half)

    def expected(x, cosine, sine, *_):
        left, right = x.float()[..., :half], x.float()[..., half:]
        along, across = cosine.float()[:, None], sine.float()[:, None]
        return torch.cat((left * along - right * across, right * along + left * across), 2)

    return fused('rotary', type, shape, (tile,), warps, (tokens // tile,),
                 [*arrays(type, shape, (tokens, half), (tokens, half)), result(type, *shape), heads], dict(M=tile, HALF=half), expected)


def norm_weights(type, rows, columns, parts, tile, warps):
    def expected(x, slope, mean, scale, *_):
        every = slope.float() * (x.float() - mean[:, None]) * scale[:, None]
        return every.view(parts, rows // parts, columns).sum(1)

    return fused('norm_weights', type, (rows, columns), tile, warps, (up(columns, tile[1]), parts),
                 [*arrays(type, (rows, columns), (rows, columns)), Array('fp32', (rows,)), shares('fp32', rows), result('fp32', parts, columns),
                  Array('fp32', (parts, columns)), rows // parts, columns], dict(M=tile[0], N=tile[1]), expected, '-parts-%d' % parts)


def causal_filter(type, batch, length, channels, parts, tile, warps):
    shape = (batch, length, channels)

    def expected(x, weight, *_):
        past = torch.nn.functional.pad(x.float(), (0, 0, 3, 0))
        return torch.nn.functional.silu(sum(past[:, i:i + length] * weight[i].float() for i in range(4)))

    return fused('causal_filter', type, shape, tile, warps, (channels // tile[1], parts, batch),
                 [*arrays(type, shape, (4, channels)), result(type, *shape), length // parts, length, channels], dict(M=tile[0], N=tile[1]),
                 expected, '-parts-%d' % parts)


def recurrence(type, batch, length, channels, tile, warps):
    shape = (batch, length, channels)

    def expected(decay, x, *_):
        states = [torch.zeros(batch, channels, device=x.device)]
        for time in range(length):
            states.append(states[-1] * decay[:, time].float() + x[:, time].float())
        return torch.stack(states[1:], 1)

    return fused('recurrence', type, shape, (tile,), warps, (channels // tile, batch),
                 [shares(type, *shape), Array(type, shape), result(type, *shape), length, channels], dict(N=tile), expected)


def decoded(q, k, v, head, parts):
    """[heads, parts, head] of FP32."""
    heads, length, _ = k.shape
    score = torch.einsum('hld,hd->hl', k, q) * head ** -0.5
    part = torch.softmax(score.view(heads, parts, -1), 2)
    return torch.einsum('hpl,hpld->hpd', part, v.view(heads, parts, length // parts, head))


def decode(type, heads, length, head, parts, tile, warps):
    shape = (heads, length, head)
    return fused('decode', type, shape, (tile,), warps, (heads, parts),
                 [*arrays(type, (heads, head), shape, shape), result('fp32', heads, parts, head), head ** -0.5 * 1.4426950408889634, length,
                  length // parts], dict(HEAD=head, N=tile), lambda q, k, v, *_: decoded(q.float(), k.float(), v.float(), head, parts),
                 '-parts-%d' % parts)


def decode_scaled(heads, length, head, parts, tile, warps):
    shape = (heads, length, head)

    def expected(q, k, v, key_scale, value_scale, *_):
        return decoded(q.float(), k.float() * key_scale[..., None], v.float() * value_scale[..., None], head, parts)

    return fused('decode_scaled', 'int8', shape, (tile,), warps, (heads, parts),
                 [Array('fp16', (heads, head)), signed(*shape), signed(*shape), *(small(heads, length) for _ in range(2)),
                  result('fp32', heads, parts, head), head ** -0.5 * 1.4426950408889634, length, length // parts],
                 dict(HEAD=head, N=tile), expected, '-parts-%d' % parts)


# ---- a matrix times a vector ----


def matrix_vector(rows, columns, tile, warps):
    return fused('matrix_vector', 'int8', (rows, columns), tile, warps, (rows // tile[0],),
                 [signed(rows, columns), Array('fp16', (columns,)), shares('fp32', rows), result('fp32', rows), columns],
                 dict(M=tile[0], N=tile[1]), lambda weight, x, scale, *_: (weight.float() @ x.float()) * scale)


def batch_vector(type, batch, rows, columns, tile, warps):
    return fused('batch_vector', type, (batch, rows, columns), tile, warps, (rows // tile[0], batch),
                 [*arrays(type, (batch, rows, columns), (batch, columns)), result('fp32', batch, rows), rows, columns],
                 dict(M=tile[0], N=tile[1]), lambda a, x, *_: torch.einsum('brc,bc->br', a.float(), x.float()))


def csr(rows, elements, columns, tile, warps):
    """`elements` of all rows together."""
    return fused('csr', 'fp32', (rows, columns), (tile,), warps, (rows,),
                 [Array('fp32', (elements,)), whole(columns, elements), offsets(rows, elements), Array('fp32', (columns,)), result('fp32', rows)],
                 dict(N=tile), lambda value, column, offset, x, *_: sums_between(value * x[column.long()], offset), '-elements-%d' % elements)


def ell(rows, slots, columns, tile, warps):
    return fused('ell', 'fp32', (rows, columns), (tile,), warps, (up(rows, tile),),
                 [Array('fp32', (slots, rows)), whole(columns, slots, rows), Array('fp32', (columns,)), result('fp32', rows), rows, slots],
                 dict(N=tile), lambda value, column, x, *_: (value * x[column.long()]).sum(0), '-slots-%d' % slots)


# ---- rows where an index says ----


def embedding_bag(type, bags, count, table, tile, warps):
    def expected(values, index, weight, *_):
        return torch.stack([each_weight @ values[each.long()].float() for each, each_weight in zip(index, weight)])

    return fused('embedding_bag', type, (bags, count), (tile,), warps, (bags, up(table[1], tile)),
                 [Array(type, table), whole(table[0], bags, count), shares('fp32', bags, count), result('fp32', bags, table[1]), count, table[1]],
                 dict(N=tile), expected, '-from-%s' % sizes(*table))


def row_pairs(type, pairs, table, tile, warps):
    def expected(x, left, right, *_):
        return (x[left.long()].float() * x[right.long()].float()).sum(1)

    return fused('row_pairs', type, (pairs,), tile, warps, (pairs // tile[0],),
                 [Array(type, table), whole(table[0], pairs), whole(table[0], pairs), result('fp32', pairs), table[1]],
                 dict(M=tile[0], N=tile[1]), expected, '-from-%s' % sizes(*table))


def segment_sum(type, rows, width, segments, tile, warps):
    def expected(x, offset, *_):
        ends = offset.tolist()
        return torch.stack([x[start:end].float().sum(0) for start, end in zip(ends, ends[1:])])

    return fused('segment_sum', type, (rows, width), tile, warps, (segments, width // tile[1]),
                 [Array(type, (rows, width)), offsets(segments, rows), result('fp32', segments, width), width], dict(M=tile[0], N=tile[1]),
                 expected, '-segments-%d' % segments)


# ---- products with more in their loop ----


def dequantised(type, shape, group, tile, warps):
    (m, n, k), (M, N, K) = shape, tile

    def expected(x, weight, scale, *_):
        return x.float() @ (weight.float() * scale.float().repeat_interleave(group, 0))

    return fused('dequantised', type, shape, tile, warps, (m // M, n // N),
                 [Array(type, (m, k)), signed(k, n), shares(type, k // group, n), result(type, m, n), n, k], dict(GROUP=group, M=M, N=N, K=K),
                 expected, '-group-%d' % group)


def scaled_matrices(shape, tile, warps):
    (m, n, k), (M, N, K) = shape, tile

    def expected(a, b, row_scale, column_scale, *_):
        return (a.double() @ b.double().t()) * row_scale[:, None] * column_scale[None, :]

    return fused('scaled_matrices', 'int8', shape, tile, warps, (m // M, n // N),
                 [signed(m, k), signed(n, k), small(m), small(n), result('fp16', m, n), n, k], dict(M=M, N=N, K=K), expected, checked='fp16')


def gated(type, shape, tile, warps):
    (m, n, k), (M, N, K) = shape, tile

    def expected(x, gate, weight, *_):
        return torch.nn.functional.silu(x.float() @ gate.float()) * (x.float() @ weight.float())

    return fused('gated', type, shape, tile, warps, (m // M, n // N),
                 [*arrays(type, (m, k), (k, n), (k, n)), result(type, m, n), n, k], dict(M=M, N=N, K=K), expected)


def experts(type, tokens, number, shape, tile, warps):
    """`tokens` are chosen from; each tile of m rows has one of `number` matrices."""
    (m, n, k), (M, N, K) = shape, tile

    def expected(x, weight, expert, token, out, *_):
        want = torch.empty(m, n, device=x.device)
        for each in range(number):
            rows = (expert == each).repeat_interleave(M)
            want[rows] = x[token[rows].long()].float() @ weight[each].float()
        return want

    return fused('experts', type, shape, tile, warps, (m // M, n // N),
                 [*arrays(type, (tokens, k), (number, k, n)), whole(number, m // M), whole(tokens, m), result(type, m, n), n, k],
                 dict(M=M, N=N, K=K), expected, '-of-%d' % number)


def sparse_blocks(type, lines, count, blocks, n, tile, warps):
    """`count` of `blocks` in each of `lines` rows of blocks."""
    M, N, K = tile

    def expected(value, block, x, *_):
        rows = x.float().view(blocks, K, n)
        return torch.cat([torch.einsum('cmk,ckn->mn', value[line].float(), rows[block[line].long()]) for line in range(lines)])

    return fused('sparse_blocks', type, (lines * M, n, blocks * K), tile, warps, (lines, n // N),
                 [Array(type, (lines, count, M, K)), whole(blocks, lines, count), Array(type, (blocks * K, n)), result(type, lines * M, n), n, count],
                 dict(M=M, N=N, K=K), expected, '-blocks-%d' % count)


# ---- the set ----


def fused_points():
    yield cross_entropy('bf16', 4096, 50304, 4096, 8)
    yield cross_entropy('fp32', 512, 32000, 1024, 4)
    yield cross_entropy('fp16', 2048, 128256, 2048, 4)
    yield divergence('bf16', 2048, 32000, 2048, 8)
    yield divergence('fp32', 264, 50304, 1024, 4)
    yield rms_norm_backward('bf16', 8192, 4096, 1024, 4)
    yield rms_norm_backward('fp32', 1024, 5120, 2048, 8)
    yield rms_norm_backward('fp16', 2112, 11008, 512, 2)
    yield top_one('bf16', 256, 128256, 2048, 4)
    yield top_one('fp32', 64, 32000, 1024, 4)
    yield top_one('fp16', 1024, 50304, 512, 2)
    yield probabilities('fp32', 8192, 1024, 1024, 4, 528)
    yield probabilities('fp16', 16384, 2000, 2048, 4, 264)
    yield residual_norm('bf16', 8192, 4096, 4096, 8, 264)
    yield residual_norm('fp32', 16384, 768, 1024, 4, 528)
    yield residual_norm('fp16', 2048, 5120, 8192, 8, 132)
    yield quantise('bf16', 16384, 4096, 4096, 8, 528)
    yield quantise('fp16', 4096, 1536, 2048, 4, 264)
    yield swiglu('bf16', 4096, 11008, 1024, 4, 132)
    yield swiglu('fp16', 512, 14336, 512, 4, 33)
    yield adam('fp32', 45088768, 1024, 4, 264)
    yield adam('bf16', 16777216, 2048, 8, 132)
    yield adam('fp32', 1000000, 512, 2, 264)
    yield rotary('bf16', 8192, 32, 64, 8, 4)
    yield rotary('fp16', 2048, 40, 64, 4, 2)
    yield norm_weights('bf16', 16384, 4096, 32, (16, 128), 4)
    yield norm_weights('fp32', 8192, 768, 64, (8, 256), 4)
    yield norm_weights('fp16', 32768, 5120, 8, (32, 64), 8)
    yield causal_filter('bf16', 8, 2048, 5120, 4, (16, 128), 4)
    yield causal_filter('fp32', 4, 4096, 1536, 16, (8, 128), 4)
    yield recurrence('fp32', 8, 1024, 2048, 128, 1)
    yield recurrence('bf16', 16, 1024, 4096, 256, 2)
    yield recurrence('fp16', 32, 256, 2560, 512, 4)
    yield decode('fp16', 256, 4096, 128, 2, 64, 4)
    yield decode('bf16', 32, 16384, 128, 16, 32, 4)
    yield decode('fp16', 512, 512, 64, 1, 64, 2)
    yield decode_scaled(256, 8192, 128, 4, 64, 4)
    yield decode_scaled(64, 2048, 128, 4, 32, 2)
    yield matrix_vector(4096, 4096, (4, 512), 4)
    yield matrix_vector(14336, 4096, (16, 256), 4)
    yield matrix_vector(4096, 11008, (8, 512), 8)
    yield batch_vector('fp16', 512, 128, 512, (16, 128), 4)
    yield batch_vector('bf16', 64, 256, 256, (32, 64), 4)
    yield csr(16384, 1 << 24, 1 << 20, 256, 2)
    yield csr(4096, 1 << 22, 65536, 512, 4)
    yield ell(1000000, 32, 1000000, 256, 4)
    yield ell(65536, 64, 65536, 128, 2)
    yield embedding_bag('fp32', 2048, 64, (1 << 20, 128), 128, 1)
    yield embedding_bag('bf16', 528, 512, (32768, 768), 1024, 4)
    yield row_pairs('fp32', 65536, (131072, 256), (16, 64), 4)
    yield row_pairs('fp16', 16384, (16384, 1008), (8, 256), 4)
    yield segment_sum('fp32', 1 << 20, 64, 8192, (16, 64), 4)
    yield segment_sum('bf16', 65536, 128, 528, (16, 128), 2)
    yield dequantised('fp16', (16, 4096, 4096), 128, (16, 64, 128), 4)
    yield dequantised('fp16', (2048, 4096, 4096), 128, (128, 128, 64), 8)
    yield dequantised('bf16', (64, 11008, 4096), 64, (64, 64, 64), 4)
    yield scaled_matrices((2048, 2048, 2048), (128, 128, 64), 8)
    yield scaled_matrices((64, 4096, 4096), (64, 64, 128), 4)
    yield gated('fp16', (512, 5504, 2048), (64, 64, 64), 4)
    yield gated('bf16', (4096, 1408, 1024), (128, 64, 32), 8)
    yield experts('bf16', 2048, 8, (4096, 2048, 1024), (64, 64, 64), 4)
    yield experts('fp16', 512, 32, (1024, 1408, 2048), (16, 64, 64), 4)
    yield sparse_blocks('fp16', 64, 8, 64, 2048, (64, 64, 64), 4)
    yield sparse_blocks('bf16', 256, 16, 256, 512, (32, 128, 32), 4)
