"""kernels.py: the kernels of Triton that the points of families.py launch. Their loops have tl.range(num_stages=STAGES).

NAME is the kernel's name in the machine code: each point has its own, so that whoever sees a launch knows the point. Shapes are whole
numbers of tiles, so that only what reaches over an edge by its nature has masks.
"""
import triton
import triton.language as tl


def named(specialization):
    name = specialization.constants['NAME']
    return getattr(name, 'value', name)


# ---- products ----


@triton.jit(repr=named)
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, EXACT: tl.constexpr, STAGES: tl.constexpr,
            NAME: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in tl.range(0, k, K, num_stages=STAGES):
        left = tl.load(a + row[:, None] * k + (start + inner)[None, :])
        right = tl.load(b + (start + inner)[:, None] * n + column[None, :])
        total = tl.dot(left, right, total, input_precision='ieee' if EXACT else 'tf32')
    tl.store(c + row[:, None] * n + column[None, :], total.to(c.dtype.element_ty))


# ---- attention and convolution ----


@triton.jit(repr=named)
def attention(q, k, v, out, scale, length, HEAD: tl.constexpr, M: tl.constexpr, N: tl.constexpr, CAUSAL: tl.constexpr,
              STAGES: tl.constexpr, NAME: tl.constexpr):
    # Forward, softmax as it goes. `scale` has the factor from exp to exp2.
    first = tl.program_id(0) * M
    head = tl.program_id(1) * length * HEAD
    row = first + tl.arange(0, M)
    inner = tl.arange(0, N)
    depth = tl.arange(0, HEAD)
    query = tl.load(q + head + row[:, None] * HEAD + depth[None, :])
    top = tl.full((M,), float('-inf'), tl.float32)
    whole = tl.zeros((M,), tl.float32)
    total = tl.zeros((M, HEAD), tl.float32)
    end = first + M if CAUSAL else length
    for start in tl.range(0, end, N, num_stages=STAGES):
        column = start + inner
        key = tl.load(k + head + column[None, :] * HEAD + depth[:, None])
        score = tl.dot(query, key) * scale
        if CAUSAL:
            score = tl.where(row[:, None] >= column[None, :], score, float('-inf'))
        higher = tl.maximum(top, tl.max(score, 1))
        part = tl.exp2(score - higher[:, None])
        shrink = tl.exp2(top - higher)
        whole = whole * shrink + tl.sum(part, 1)
        value = tl.load(v + head + column[:, None] * HEAD + depth[None, :])
        total = tl.dot(part.to(value.dtype), value, total * shrink[:, None])
        top = higher
    tl.store(out + head + row[:, None] * HEAD + depth[None, :], (total / whole[:, None]).to(out.dtype.element_ty))


@triton.jit(repr=named)
def convolution(image, weight, out, height, width, channels, filters, TALL: tl.constexpr, WIDE: tl.constexpr, M: tl.constexpr,
                N: tl.constexpr, K: tl.constexpr, EXACT: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # A product of pixels and filters; the loop goes over taps and channels. Channels are innermost.
    pixel = tl.program_id(0) * M + tl.arange(0, M)
    filter = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    x = pixel % width
    y = pixel // width % height
    parts = channels // K
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in tl.range(0, TALL * WIDE * parts, num_stages=STAGES):
        tap = step // parts
        channel = step % parts * K + inner
        down = tap // WIDE - TALL // 2
        right = tap % WIDE - WIDE // 2
        inside = (y + down >= 0) & (y + down < height) & (x + right >= 0) & (x + right < width)
        near = pixel + down * width + right
        left = tl.load(image + near[:, None] * channels + channel[None, :], mask=inside[:, None], other=0.0)
        factor = tl.load(weight + (tap * channels + channel)[:, None] * filters + filter[None, :])
        total = tl.dot(left, factor, total, input_precision='ieee' if EXACT else 'tf32')
    tl.store(out + pixel[:, None] * filters + filter[None, :], total.to(out.dtype.element_ty))


@triton.jit(repr=named)
def depthwise(image, weight, out, height, width, channels, TALL: tl.constexpr, WIDE: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
              STAGES: tl.constexpr, NAME: tl.constexpr):
    # Each channel has its own filter; the loop goes over taps.
    pixel = tl.program_id(0) * M + tl.arange(0, M)
    channel = tl.program_id(1) * N + tl.arange(0, N)
    x = pixel % width
    y = pixel // width % height
    total = tl.zeros((M, N), dtype=tl.float32)
    for tap in tl.range(0, TALL * WIDE, num_stages=STAGES):
        down = tap // WIDE - TALL // 2
        right = tap % WIDE - WIDE // 2
        inside = (y + down >= 0) & (y + down < height) & (x + right >= 0) & (x + right < width)
        near = pixel + down * width + right
        value = tl.load(image + near[:, None] * channels + channel[None, :], mask=inside[:, None], other=0.0)
        factor = tl.load(weight + tap * channels + channel)
        total += value.to(tl.float32) * factor.to(tl.float32)[None, :]
    tl.store(out + pixel[:, None] * channels + channel[None, :], total.to(out.dtype.element_ty))


# ---- loads without a product ----


@triton.jit(repr=named)
def softmax(x, out, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    row = tl.program_id(0) * columns
    inner = tl.arange(0, N)
    top = tl.full((N,), float('-inf'), tl.float32)
    whole = tl.zeros((N,), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        value = tl.load(x + row + start + inner).to(tl.float32)
        higher = tl.maximum(top, value)
        whole = whole * tl.exp(top - higher) + tl.exp(value - higher)
        top = higher
    highest = tl.max(top, 0)
    sum_of_all = tl.sum(whole * tl.exp(top - highest), 0)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        value = tl.load(x + row + start + inner).to(tl.float32)
        tl.store(out + row + start + inner, (tl.exp(value - highest) / sum_of_all).to(out.dtype.element_ty))


@triton.jit(repr=named)
def layer_norm(x, weight, bias, out, columns, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    row = tl.program_id(0) * columns
    inner = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    squares = tl.zeros((N,), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        value = tl.load(x + row + start + inner).to(tl.float32)
        total += value
        squares += value * value
    mean = tl.sum(total, 0) / columns
    scale = 1.0 / tl.sqrt(tl.sum(squares, 0) / columns - mean * mean + 1e-5)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        value = tl.load(x + row + start + inner).to(tl.float32)
        factor = tl.load(weight + start + inner).to(tl.float32)
        shift = tl.load(bias + start + inner).to(tl.float32)
        tl.store(out + row + start + inner, ((value - mean) * scale * factor + shift).to(out.dtype.element_ty))


@triton.jit(repr=named)
def sum_rows(x, out, columns, M: tl.constexpr, N: tl.constexpr, WORK: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Sums of each row, of what WORK turns of exp(-x^2) make of an element.
    row = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        value = tl.load(x + row[:, None] * columns + (start + inner)[None, :]).to(tl.float32)
        for _ in tl.static_range(WORK):
            value = tl.exp(0.0 - value * value)
        total += value
    tl.store(out + row, tl.sum(total, 1))


@triton.jit(repr=named)
def sum_columns(x, out, rows, columns, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Sums of each column over `rows` rows for each program of the second axis.
    first = tl.program_id(1) * rows
    column = tl.program_id(0) * N + tl.arange(0, N)
    inner = tl.arange(0, M)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, rows, M, num_stages=STAGES):
        total += tl.load(x + (first + start + inner)[:, None] * columns + column[None, :]).to(tl.float32)
    tl.store(out + tl.program_id(1) * columns + column, tl.sum(total, 0))


@triton.jit(repr=named)
def stencil_line(x, out, count, N: tl.constexpr, POINTS: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # out[i] = x[i] + 2 x[i + 1] + 3 x[i + 2] ..., POINTS of them; `count` results for each program.
    first = tl.program_id(0) * count
    inner = tl.arange(0, N)
    for start in tl.range(0, count, N, num_stages=STAGES):
        place = first + start + inner
        total = tl.zeros((N,), tl.float32)
        for i in tl.static_range(POINTS):
            total += tl.load(x + place + i) * (i + 1)
        tl.store(out + place, total)


@triton.jit(repr=named)
def stencil_plane(x, out, rows, columns, pitch, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Sum of the four neighbours less four times the element. x has a row more above and below and 16 columns more to the left and right;
    # its rows are `pitch` elements apart. Each program goes down `rows` rows.
    column = tl.program_id(0) * N + tl.arange(0, N)
    first = tl.program_id(1) * rows
    for row in tl.range(first, first + rows, num_stages=STAGES):
        here = x + (row + 1) * pitch + 16 + column
        beside = tl.load(here - 1) + tl.load(here + 1)
        above = tl.load(here - pitch) + tl.load(here + pitch)
        tl.store(out + row * columns + column, beside + above - 4.0 * tl.load(here))


@triton.jit(repr=named)
def gather_rows(table, index, out, count, width, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Sums of `count` rows of a table, where an index says.
    bag = tl.program_id(0)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, M)
    total = tl.zeros((M, N), tl.float32)
    for start in tl.range(0, count, M, num_stages=STAGES):
        row = tl.load(index + bag * count + start + inner)
        total += tl.load(table + row[:, None] * width + column[None, :]).to(tl.float32)
    tl.store(out + bag * width + column, tl.sum(total, 0))


@triton.jit(repr=named)
def gather_elements(x, index, out, count, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    first = tl.program_id(0) * count
    inner = tl.arange(0, N)
    for start in tl.range(0, count, N, num_stages=STAGES):
        place = first + start + inner
        tl.store(out + place, tl.load(x + tl.load(index + place)))


@triton.jit(repr=named)
def axpy(x, y, out, factor, count, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    inner = tl.arange(0, N)
    for start in tl.range(tl.program_id(0) * N, count, tl.num_programs(0) * N, num_stages=STAGES):
        left = tl.load(x + start + inner).to(tl.float32)
        right = tl.load(y + start + inner).to(tl.float32)
        tl.store(out + start + inner, (left * factor + right).to(out.dtype.element_ty))


@triton.jit(repr=named)
def dot(x, y, out, count, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # A sum for each program, of its part of the elements.
    inner = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for start in tl.range(tl.program_id(0) * N, count, tl.num_programs(0) * N, num_stages=STAGES):
        total += tl.load(x + start + inner).to(tl.float32) * tl.load(y + start + inner).to(tl.float32)
    tl.store(out + tl.program_id(0), tl.sum(total, 0))


@triton.jit(repr=named)
def prefix_sum(x, out, columns, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr, NAME: tl.constexpr):
    # Running sums of each row.
    row = tl.program_id(0) * M + tl.arange(0, M)
    inner = tl.arange(0, N)
    before = tl.zeros((M,), tl.float32)
    for start in tl.range(0, columns, N, num_stages=STAGES):
        place = row[:, None] * columns + (start + inner)[None, :]
        value = tl.load(x + place)
        tl.store(out + place, tl.cumsum(value, 1) + before[:, None])
        before += tl.sum(value, 1)
