"""fused_kernels.py: the kernels of Triton that the points of fused.py launch. What kernels.py says of its own holds here, too.

Edges are ragged: a row need not be a whole number of tiles, segments and rows of sparse matrices have any length. What lies over an
edge is masked.
"""
import triton
import triton.language as tl

from kernels import named


# ---- a row for each program ----


@triton.jit(repr=named)
def cross_entropy(x, label, slope, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Of the loss by each element: its probability, less one at the label.
    row = tl.program_id(0) * columns
    wanted = tl.load(label + tl.program_id(0))
    inner = tl.arange(0, N)
    top = tl.full([], float('-inf'), tl.float32)
    whole = tl.full([], 0.0, tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        value = tl.load(x + row + column, mask=column < columns, other=float('-inf')).to(tl.float32)
        higher = tl.maximum(top, tl.max(value, 0))
        whole = whole * tl.exp(top - higher) + tl.sum(tl.exp(value - higher), 0)
        top = higher
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        value = tl.load(x + row + column, mask=column < columns, other=float('-inf')).to(tl.float32)
        part = tl.exp(value - top) / whole - tl.where(column == wanted, 1.0, 0.0)
        tl.store(slope + row + column, part.to(slope.dtype.element_ty), mask=column < columns)


@triton.jit(repr=named)
def divergence(teacher, student, out, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Kullback and Leibler's, of the softmax of two rows, as distillation has it.
    row = tl.program_id(0) * columns
    inner = tl.arange(0, N)
    top = tl.full([], float('-inf'), tl.float32)
    whole = tl.full([], 0.0, tl.float32)
    apart = tl.full([], 0.0, tl.float32)
    other_top = tl.full([], float('-inf'), tl.float32)
    other_whole = tl.full([], 0.0, tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        inside = column < columns
        value = tl.load(teacher + row + column, mask=inside, other=float('-inf')).to(tl.float32)
        other = tl.load(student + row + column, mask=inside, other=float('-inf')).to(tl.float32)
        higher = tl.maximum(top, tl.max(value, 0))
        part = tl.exp(value - higher)
        shrink = tl.exp(top - higher)
        whole = whole * shrink + tl.sum(part, 0)
        apart = apart * shrink + tl.sum(part * tl.where(inside, value - other, 0.0), 0)
        top = higher
        higher = tl.maximum(other_top, tl.max(other, 0))
        other_whole = other_whole * tl.exp(other_top - higher) + tl.sum(tl.exp(other - higher), 0)
        other_top = higher
    tl.store(out + tl.program_id(0), apart / whole - top - tl.log(whole) + other_top + tl.log(other_whole))


@triton.jit(repr=named)
def rms_norm_backward(x, weight, slope, out, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    row = tl.program_id(0) * columns
    inner = tl.arange(0, N)
    squares = tl.zeros((N,), tl.float32)
    along = tl.zeros((N,), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        inside = column < columns
        value = tl.load(x + row + column, mask=inside, other=0.0).to(tl.float32)
        factor = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
        change = tl.load(slope + row + column, mask=inside, other=0.0).to(tl.float32)
        squares += value * value
        along += value * factor * change
    scale = 1.0 / tl.sqrt(tl.sum(squares, 0) / columns + 1e-5)
    back = tl.sum(along, 0) * scale * scale * scale / columns
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        inside = column < columns
        value = tl.load(x + row + column, mask=inside, other=0.0).to(tl.float32)
        factor = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
        change = tl.load(slope + row + column, mask=inside, other=0.0).to(tl.float32)
        tl.store(out + row + column, (scale * factor * change - value * back).to(out.dtype.element_ty), mask=inside)


@triton.jit(repr=named)
def top_one(x, out, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # The first place of a row's largest element.
    row = tl.program_id(0) * columns
    inner = tl.arange(0, N)
    best = tl.full((N,), float('-inf'), tl.float32)
    place = tl.zeros((N,), tl.int32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        value = tl.load(x + row + column, mask=column < columns, other=float('-inf')).to(tl.float32)
        place = tl.where(value > best, column, place)
        best = tl.maximum(best, value)
    highest = tl.max(best, 0)
    tl.store(out + tl.program_id(0), tl.min(tl.where(best == highest, place, 2147483647), 0))


# ---- programs that stay, and go over rows or elements ----


@triton.jit(repr=named)
def probabilities(x, out, rows, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Softmax of rows that fit in a tile.
    column = tl.arange(0, N)
    inside = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        value = tl.load(x + row * columns + column, mask=inside, other=float('-inf')).to(tl.float32)
        part = tl.exp(value - tl.max(value, 0))
        tl.store(out + row * columns + column, (part / tl.sum(part, 0)).to(out.dtype.element_ty), mask=inside)


@triton.jit(repr=named)
def residual_norm(x, residual, weight, out, both, rows, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # RMS norm of a sum, which is kept.
    column = tl.arange(0, N)
    inside = column < columns
    factor = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        place = row * columns + column
        value = tl.load(x + place, mask=inside, other=0.0).to(tl.float32)
        value += tl.load(residual + place, mask=inside, other=0.0).to(tl.float32)
        scale = 1.0 / tl.sqrt(tl.sum(value * value, 0) / columns + 1e-5)
        tl.store(both + place, value.to(both.dtype.element_ty), mask=inside)
        tl.store(out + place, (value * scale * factor).to(out.dtype.element_ty), mask=inside)


@triton.jit(repr=named)
def quantise(x, out, scale, rows, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # To INT8, with a scale for each row.
    column = tl.arange(0, N)
    inside = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        value = tl.load(x + row * columns + column, mask=inside, other=0.0).to(tl.float32)
        largest = tl.maximum(tl.max(tl.abs(value), 0), 1e-10)
        tl.store(scale + row, largest / 127.0)
        tl.store(out + row * columns + column, tl.floor(value * (127.0 / largest) + 0.5).to(tl.int8), mask=inside)


@triton.jit(repr=named)
def swiglu(x, out, rows, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # A row has the gate's elements, then those that it lets through.
    column = tl.program_id(1) * N + tl.arange(0, N)
    inside = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        gate = tl.load(x + row * 2 * columns + column, mask=inside, other=0.0).to(tl.float32)
        value = tl.load(x + row * 2 * columns + columns + column, mask=inside, other=0.0).to(tl.float32)
        tl.store(out + row * columns + column, (gate / (1.0 + tl.exp(0.0 - gate)) * value).to(out.dtype.element_ty), mask=inside)


@triton.jit(repr=named)
def adam(weight, slope, mean, square, new_weight, new_mean, new_square, rate, count, N: tl.constexpr, STAGES: tl.constexpr,
         NAME: tl.constexpr):
    inner = tl.arange(0, N)
    for start in tl.range(tl.program_id(0) * N, count, tl.num_programs(0) * N, num_stages=STAGES):
        place = start + inner
        inside = place < count
        value = tl.load(weight + place, mask=inside, other=0.0).to(tl.float32)
        change = tl.load(slope + place, mask=inside, other=0.0).to(tl.float32)
        first = 0.9 * tl.load(mean + place, mask=inside, other=0.0) + 0.1 * change
        second = 0.999 * tl.load(square + place, mask=inside, other=0.0) + 0.001 * change * change
        value -= rate * first / (tl.sqrt(second) + 1e-8)
        tl.store(new_weight + place, value.to(new_weight.dtype.element_ty), mask=inside)
        tl.store(new_mean + place, first, mask=inside)
        tl.store(new_square + place, second, mask=inside)


# ---- layers of models ----


@triton.jit(repr=named)
def rotary(x, cosine, sine, out, heads, M: tl.constexpr, HALF: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # The halves of a head's elements are turned against each other; the loop goes over a token's heads.
    token = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, HALF)
    turn = token[:, None] * HALF + inner[None, :]
    along = tl.load(cosine + turn).to(tl.float32)
    across = tl.load(sine + turn).to(tl.float32)
    for head in tl.range(0, heads, num_stages=STAGES):
        place = (token * heads + head)[:, None] * (2 * HALF) + inner[None, :]
        left = tl.load(x + place).to(tl.float32)
        right = tl.load(x + place + HALF).to(tl.float32)
        tl.store(out + place, (left * along - right * across).to(out.dtype.element_ty))
        tl.store(out + place + HALF, (right * along + left * across).to(out.dtype.element_ty))


@triton.jit(repr=named)
def norm_weights(x, slope, mean, scale, out, shift, rows, columns, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
                 NAME: tl.constexpr):
    # Slopes of a layer norm's weights and biases: sums over `rows` rows for each program of the second axis.
    first = tl.program_id(1) * rows
    column = tl.program_id(0) * N + tl.arange(0, N)
    inside = (column < columns)[None, :]
    inner = tl.arange(0, M)
    total = tl.zeros((M, N), tl.float32)
    changes = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, rows, M, num_stages=STAGES):
        row = first + start + inner
        value = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0).to(tl.float32)
        change = tl.load(slope + row[:, None] * columns + column[None, :], mask=inside, other=0.0).to(tl.float32)
        middle = tl.load(mean + row)
        factor = tl.load(scale + row)
        total += change * (value - middle[:, None]) * factor[:, None]
        changes += change
    place = tl.program_id(1) * columns + column
    tl.store(out + place, tl.sum(total, 0), mask=column < columns)
    tl.store(shift + place, tl.sum(changes, 0), mask=column < columns)


@triton.jit(repr=named)
def causal_filter(x, weight, out, count, length, channels, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Four taps of the past in each channel, then SiLU. `count` times for each program of the second axis; the third one is the batch.
    channel = tl.program_id(0) * N + tl.arange(0, N)
    first = tl.program_id(1) * count
    base = tl.program_id(2) * length
    inner = tl.arange(0, M)
    oldest = tl.load(weight + channel).to(tl.float32)[None, :]
    old = tl.load(weight + channels + channel).to(tl.float32)[None, :]
    last = tl.load(weight + 2 * channels + channel).to(tl.float32)[None, :]
    now = tl.load(weight + 3 * channels + channel).to(tl.float32)[None, :]
    for start in tl.range(first, first + count, M, num_stages=STAGES):
        time = (start + inner)[:, None]
        place = (base + time) * channels + channel[None, :]
        total = now * tl.load(x + place).to(tl.float32)
        total += last * tl.load(x + place - channels, mask=time >= 1, other=0.0).to(tl.float32)
        total += old * tl.load(x + place - 2 * channels, mask=time >= 2, other=0.0).to(tl.float32)
        total += oldest * tl.load(x + place - 3 * channels, mask=time >= 3, other=0.0).to(tl.float32)
        tl.store(out + place, (total / (1.0 + tl.exp(0.0 - total))).to(out.dtype.element_ty))


@triton.jit(repr=named)
def recurrence(decay, x, out, length, channels, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # A state for each channel that decays and takes up x; the loop goes over time.
    channel = tl.program_id(0) * N + tl.arange(0, N)
    base = tl.program_id(1) * length
    state = tl.zeros((N,), tl.float32)
    for time in tl.range(0, length, num_stages=STAGES):
        place = (base + time) * channels + channel
        state = state * tl.load(decay + place).to(tl.float32) + tl.load(x + place).to(tl.float32)
        tl.store(out + place, state.to(out.dtype.element_ty))


@triton.jit(repr=named)
def decode(q, k, v, out, scale, length, count, HEAD: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # One query for each head, `count` keys and values for each program of the second axis. `scale` has the factor from exp to exp2.
    head = tl.program_id(0) * length
    first = tl.program_id(1) * count
    inner = tl.arange(0, N)
    depth = tl.arange(0, HEAD)
    query = tl.load(q + tl.program_id(0) * HEAD + depth).to(tl.float32) * scale
    top = tl.full([], float('-inf'), tl.float32)
    whole = tl.full([], 0.0, tl.float32)
    total = tl.zeros((HEAD,), tl.float32)
    for start in tl.range(first, first + count, N, num_stages=STAGES):
        place = (head + start + inner)[:, None] * HEAD + depth[None, :]
        score = tl.sum(tl.load(k + place).to(tl.float32) * query[None, :], 1)
        higher = tl.maximum(top, tl.max(score, 0))
        part = tl.exp2(score - higher)
        shrink = tl.exp2(top - higher)
        whole = whole * shrink + tl.sum(part, 0)
        total = total * shrink + tl.sum(part[:, None] * tl.load(v + place).to(tl.float32), 0)
        top = higher
    tl.store(out + (tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)) * HEAD + depth, total / whole)


@triton.jit(repr=named)
def decode_scaled(q, k, v, key_scale, value_scale, out, scale, length, count, HEAD: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
                NAME: tl.constexpr):
    # The same with keys and values of INT8, each with a scale.
    head = tl.program_id(0) * length
    first = tl.program_id(1) * count
    inner = tl.arange(0, N)
    depth = tl.arange(0, HEAD)
    query = tl.load(q + tl.program_id(0) * HEAD + depth).to(tl.float32) * scale
    top = tl.full([], float('-inf'), tl.float32)
    whole = tl.full([], 0.0, tl.float32)
    total = tl.zeros((HEAD,), tl.float32)
    for start in tl.range(first, first + count, N, num_stages=STAGES):
        token = head + start + inner
        place = token[:, None] * HEAD + depth[None, :]
        score = tl.sum(tl.load(k + place).to(tl.float32) * query[None, :], 1) * tl.load(key_scale + token)
        higher = tl.maximum(top, tl.max(score, 0))
        part = tl.exp2(score - higher)
        shrink = tl.exp2(top - higher)
        whole = whole * shrink + tl.sum(part, 0)
        factor = part * tl.load(value_scale + token)
        total = total * shrink + tl.sum(factor[:, None] * tl.load(v + place).to(tl.float32), 0)
        top = higher
    tl.store(out + (tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)) * HEAD + depth, total / whole)


# ---- a matrix times a vector ----


@triton.jit(repr=named)
def matrix_vector(weight, x, scale, out, columns, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        inside = column < columns
        value = tl.load(weight + row[:, None] * columns + column[None, :], mask=inside[None, :], other=0).to(tl.float32)
        total += value * tl.load(x + column, mask=inside, other=0.0).to(tl.float32)[None, :]
    tl.store(out + row, tl.sum(total, 1) * tl.load(scale + row))


@triton.jit(repr=named)
def batch_vector(a, x, out, rows, columns, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Each matrix of the second axis has its own vector.
    batch = tl.program_id(1)
    row = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        column = start + inner
        value = tl.load(a + (batch * rows + row)[:, None] * columns + column[None, :]).to(tl.float32)
        total += value * tl.load(x + batch * columns + column).to(tl.float32)[None, :]
    tl.store(out + batch * rows + row, tl.sum(total, 1))


@triton.jit(repr=named)
def csr(value, column, offset, x, out, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # A row of the sparse matrix for each program.
    row = tl.program_id(0)
    end = tl.load(offset + row + 1)
    inner = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for start in tl.range(tl.load(offset + row), end, N, num_stages=STAGES):
        place = start + inner
        inside = place < end
        where = tl.load(column + place, mask=inside, other=0)
        total += tl.load(value + place, mask=inside, other=0.0) * tl.load(x + where, mask=inside, other=0.0)
    tl.store(out + row, tl.sum(total, 0))


@triton.jit(repr=named)
def ell(value, column, x, out, rows, slots, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # All rows have as many elements; those of one slot lie side by side. The loop goes over slots.
    row = tl.program_id(0) * N + tl.arange(0, N)
    inside = row < rows
    total = tl.zeros((N,), tl.float32)
    for slot in tl.range(0, slots, num_stages=STAGES):
        where = tl.load(column + slot * rows + row, mask=inside, other=0)
        total += tl.load(value + slot * rows + row, mask=inside, other=0.0) * tl.load(x + where, mask=inside, other=0.0)
    tl.store(out + row, total, mask=inside)


# ---- rows where an index says ----


@triton.jit(repr=named)
def embedding_bag(table, index, weight, out, count, width, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # A weighted sum of `count` rows, one after the other.
    bag = tl.program_id(0)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inside = column < width
    total = tl.zeros((N,), tl.float32)
    for item in tl.range(bag * count, bag * count + count, num_stages=STAGES):
        row = tl.load(index + item)
        total += tl.load(weight + item) * tl.load(table + row * width + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + bag * width + column, total, mask=inside)


@triton.jit(repr=named)
def row_pairs(x, left, right, out, width, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Dot products of the rows that edges of a graph join.
    pair = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, N)
    here = tl.load(left + pair)[:, None] * width + inner[None, :]
    there = tl.load(right + pair)[:, None] * width + inner[None, :]
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, width, N, num_stages=STAGES):
        inside = (start + inner < width)[None, :]
        near = tl.load(x + here + start, mask=inside, other=0.0).to(tl.float32)
        far = tl.load(x + there + start, mask=inside, other=0.0).to(tl.float32)
        total += near * far
    tl.store(out + pair, tl.sum(total, 1))


@triton.jit(repr=named)
def segment_sum(x, offset, out, width, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    segment = tl.program_id(0)
    end = tl.load(offset + segment + 1)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, M)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(tl.load(offset + segment), end, M, num_stages=STAGES):
        row = start + inner
        total += tl.load(x + row[:, None] * width + column[None, :], mask=(row < end)[:, None], other=0.0).to(tl.float32)
    tl.store(out + segment * width + column, tl.sum(total, 0))


# ---- products with more in their loop ----


@triton.jit(repr=named)
def dequantised(x, weight, scale, out, n, k, GROUP: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
                STAGES: tl.constexpr, NAME: tl.constexpr):
    # Weights of INT8, with a scale for each column and GROUP rows.
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        left = tl.load(x + row[:, None] * k + (start + inner)[None, :])
        right = tl.load(weight + (start + inner)[:, None] * n + column[None, :])
        factor = tl.load(scale + start // GROUP * n + column)
        total = tl.dot(left, right.to(left.dtype) * factor[None, :], total)
    tl.store(out + row[:, None] * n + column[None, :], total.to(out.dtype.element_ty))


@triton.jit(repr=named)
def scaled_matrices(a, b, row_scale, column_scale, out, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr,
                 NAME: tl.constexpr):
    # Both have k innermost.
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.int32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        left = tl.load(a + row[:, None] * k + (start + inner)[None, :])
        right = tl.load(b + column[None, :] * k + (start + inner)[:, None])
        total = tl.dot(left, right, total, out_dtype=tl.int32)
    factor = tl.load(row_scale + row)[:, None] * tl.load(column_scale + column)[None, :]
    tl.store(out + row[:, None] * n + column[None, :], (total.to(tl.float32) * factor).to(out.dtype.element_ty))


@triton.jit(repr=named)
def gated(x, gate, weight, out, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # SiLU of one product, times the other.
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    opens = tl.zeros((M, N), dtype=tl.float32)
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        left = tl.load(x + row[:, None] * k + (start + inner)[None, :])
        place = (start + inner)[:, None] * n + column[None, :]
        opens = tl.dot(left, tl.load(gate + place), opens)
        total = tl.dot(left, tl.load(weight + place), total)
    total = opens / (1.0 + tl.exp(0.0 - opens)) * total
    tl.store(out + row[:, None] * n + column[None, :], total.to(out.dtype.element_ty))


@triton.jit(repr=named)
def experts(x, weight, expert, token, out, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr,
            NAME: tl.constexpr):
    # Each tile of rows has its own matrix, and its rows come from where `token` says.
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    source = tl.load(token + row)
    matrix = tl.load(expert + tl.program_id(0)) * k
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        left = tl.load(x + source[:, None] * k + (start + inner)[None, :])
        right = tl.load(weight + (matrix + start + inner)[:, None] * n + column[None, :])
        total = tl.dot(left, right, total)
    tl.store(out + row[:, None] * n + column[None, :], total.to(out.dtype.element_ty))


@triton.jit(repr=named)
def sparse_blocks(value, block, x, out, n, count, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr,
                  NAME: tl.constexpr):
    # Each row of blocks has `count` of M x K elements; `block` says which rows of x they meet.
    line = tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    first = tl.program_id(0) * count
    total = tl.zeros((M, N), dtype=tl.float32)
    for item in tl.range(first, first + count, num_stages=STAGES):
        source = tl.load(block + item) * K
        left = tl.load(value + (item * M + line)[:, None] * K + inner[None, :])
        right = tl.load(x + (source + inner)[:, None] * n + column[None, :])
        total = tl.dot(left, right, total)
    tl.store(out + (tl.program_id(0) * M + line)[:, None] * n + column[None, :], total.to(out.dtype.element_ty))
