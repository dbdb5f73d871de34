"""points.py: kernels of Triton whose loops have one to six stages: what more stages bring, as measured.

A point is a kernel, its type, tile and shape (families.py, fused.py). As run it has the number of stages that its place in its kind's list says.

usage: points.py list [WHICH]...               prints KIND POINT AS-RUN of each point; needs neither torch nor a GPU
       points.py compile PART PARTS [WHICH]... compiles a part of all kernels into Triton's cache, so that processes can share the work
       points.py time [WHICH]...               prints KIND POINT AS-RUN, then a line for each number of stages:
                                               KIND POINT STAGES NS LOW HIGH REGISTERS SHARED SPILLS HASH
       points.py run [WHICH]...                launches each point as run, 128 times; prints KIND POINT AS-RUN KERNEL GRID BLOCK
       points.py once [WHICH]...               launches each point with each number of stages once, between cudaProfilerStart and
                                               cudaProfilerStop, in the order of its lines KIND POINT STAGES KERNEL
       points.py check [WHICH]...              compares results with torch's: KIND POINT STAGES ok|wrong ERROR; exit status 1 if wrong
       points.py sass DIR [WHICH]...           writes machine code to DIR/HASH.cubin; prints KIND POINT STAGES HASH
WHICH is a kind (product, attention, load, fused) or part of a point's name. A number of stages that cannot be launched has the reason in place
of what follows STAGES.

time: a CUDA graph of launches is timed by events, the stages by turns, forwards and backwards, without CUPTI. Caches are as the
launches leave them. NS is the median of the turns' times per launch, LOW and HIGH the quartiles. HASH is of the instructions.
truth.py judges what several processes printed.
"""
import hashlib
import os
import statistics
import struct
import sys

from families import AS_RUN, STAGES, TOLERANCES, attentions, loads, products, spoilt, torch
from fused import fused_points

if torch:
    import triton

LAUNCHES = 128         # of a point as run
BATCH_NS = 300_000     # least time of a graph
WARM_NS = 50_000_000   # turns before those that count: clocks rise
TIMED_NS = 100_000_000
TURNS = 15, 45         # least and most that count


def points():
    for every in (products, attentions, loads, fused_points):
        for place, point in enumerate(every()):
            point.as_run = AS_RUN[place % len(AS_RUN)]
            yield point


def chosen(which):
    for point in points():
        if not which or any(each == point.kind or each in point.name for each in which):
            yield point


def tell(point, *cells):
    print(point.kind, point.name, *cells, flush=True)


# ---- machine code ----


def code_hash(cubin):
    """Of the instructions alone: names and line tables differ where code does not."""
    table, = struct.unpack_from('<Q', cubin, 0x28)
    size, count, names = struct.unpack_from('<3H', cubin, 0x3a)
    sections = [struct.unpack_from('<IIQQQQ', cubin, table + i * size) for i in range(count)]
    texts = sections[names][4]
    code = hashlib.sha256()
    for name, _, _, _, start, length in sections:
        if cubin.startswith(b'.text.', texts + name):
            code.update(cubin[start:start + length])
    return code.hexdigest()[:16]


def reason_of(error):
    if isinstance(error, triton.runtime.errors.OutOfResources):
        return 'shared-memory' if 'shared' in str(error) else 'resources'
    print(type(error).__name__, error, file=sys.stderr)
    return 'failed'


def fits(point, made, stages):
    """The compiled kernel, launched once, or why it cannot be launched."""
    try:
        compiled = point.launch(made, stages)
        torch.cuda.synchronize()
        return compiled, None
    except Exception as error:
        return None, reason_of(error)


# ---- times ----


def graph_of(point, made, stages, launches):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(launches):
            point.launch(made, stages)
    return graph


def elapsed_ns(graph):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    graph.replay()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e6


def launches_for(point, made, stages):
    graph = graph_of(point, made, stages, 4)
    elapsed_ns(graph)
    return max(4, int(BATCH_NS / (min(elapsed_ns(graph) for _ in range(3)) / 4)))


def turn(graphs, backwards):
    """{stages: ns of its graph}."""
    return {stages: elapsed_ns(graphs[stages]) for stages in sorted(graphs, reverse=backwards)}


def turns(graphs):
    """Those that count."""
    spent, number = 0, 0
    while spent < WARM_NS or number < 2:
        last = sum(turn(graphs, number % 2 == 1).values())
        spent, number = spent + last, number + 1
    count = min(TURNS[1], max(TURNS[0], int(TIMED_NS / last)))
    return [turn(graphs, i % 2 == 1) for i in range(count)]


def time_point(point):
    tell(point, point.as_run)
    made, compiled, graphs, launches = point.make(), {}, {}, {}
    for stages in STAGES:
        compiled[stages], why = fits(point, made, stages)
        if why:
            tell(point, stages, why)
            continue
        launches[stages] = launches_for(point, made, stages)
        graphs[stages] = graph_of(point, made, stages, launches[stages])
    every = turns(graphs) if graphs else []
    for stages, it in compiled.items():
        if not it:
            continue
        low, middle, high = statistics.quantiles([each[stages] / launches[stages] for each in every], n=4)
        tell(point, stages, '%.1f %.1f %.1f' % (middle, low, high), it.n_regs, it.metadata.shared, it.n_spills, code_hash(it.asm['cubin']))


# ---- other uses ----


def run_point(point):
    made = point.make()
    compiled, why = fits(point, made, point.as_run)
    if why:
        tell(point, point.as_run, why)
        return
    x, y, z = (*point.grid, 1, 1)[:3]
    tell(point, point.as_run, compiled.metadata.name, '%dx%dx%d' % (x, y, z), '%dx1x1' % (32 * point.warps))
    for _ in range(LAUNCHES - 1):
        point.launch(made, point.as_run)
    torch.cuda.synchronize()


def launch_once(point):
    made = point.make()
    compiled = {}
    for stages in STAGES:
        compiled[stages], why = fits(point, made, stages)
        if why:
            tell(point, stages, why)
    torch.cuda.cudart().cudaProfilerStart()
    for stages, it in compiled.items():
        if it:
            tell(point, stages, it.metadata.name)
            point.launch(made, stages)
            torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()


def error_of(got, want):
    """Relative to the largest result; NaN if there is one."""
    want = want.reshape(got.shape).double()
    return float((got.double() - want).abs().max() / want.abs().max())


def check_point(point):
    """Whether all results are right."""
    made = point.make()
    want, right = point.expected(*made), True
    for stages in STAGES:
        got = point.result(made)
        got.fill_(spoilt(got.dtype))
        _, why = fits(point, made, stages)
        if why:
            tell(point, stages, why)
            right = right and why != 'failed'
            continue
        error = error_of(got, want)
        good = error <= TOLERANCES[point.type]
        tell(point, stages, 'ok' if good else 'wrong', '%.2g' % error)
        right = right and good
    return right


def compiled_of(point, stages):
    """None if the compiler fails; it says why."""
    try:
        return point.compile(stages)
    except Exception as error:
        tell(point, stages, reason_of(error))
        return None


def compile_part(part, parts, which):
    every = [(point, stages) for point in chosen(which) for stages in STAGES]
    for point, stages in every[part::parts]:
        compiled_of(point, stages)


def write_code(folder, which):
    os.makedirs(folder, exist_ok=True)
    for point in chosen(which):
        for stages in STAGES:
            it = compiled_of(point, stages)
            if it:
                name = code_hash(it.asm['cubin'])
                with open(os.path.join(folder, name + '.cubin'), 'wb') as file:
                    file.write(it.asm['cubin'])
                tell(point, stages, name)


def guarded(work, point):
    """False if a point fails, which is told: the others go on."""
    try:
        return work(point)
    except Exception as error:
        tell(point, point.as_run, reason_of(error))
        return False


def main(mode, *words):
    if mode == 'list':
        for point in chosen(words):
            tell(point, point.as_run)
        return 0
    if not torch:
        sys.exit('points.py: only "list" works without torch and triton')
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    if mode == 'compile':
        return compile_part(int(words[0]), int(words[1]), words[2:])
    if mode == 'sass':
        return write_code(words[0], words[1:])
    each_point = {'time': time_point, 'run': run_point, 'once': launch_once, 'check': check_point}[mode]
    return int(False in [guarded(each_point, point) for point in chosen(words)])


if len(sys.argv) < 2:
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
