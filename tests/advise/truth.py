"""truth.py: what several processes of points.py or stages measured, as one table.

usage: truth.py FILE...     each file is what one process printed
A line has the times of 1 to 6 stages in µs, medians over the processes; the gain of the best of 2 to 6 stages over one stage; that
number of stages; and the half-width: half of the range of the processes' medians, relative, of the number of stages where it is largest.
"""
import collections
import statistics
import sys


def read(paths):
    """{(kind, point): {stages: [ns of each process]}}; a number of stages that does not fit is left out."""
    measured = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in paths:
        with open(path) as lines:
            for kind, point, stages, ns, *rest in map(str.split, lines):
                if rest:
                    measured[kind, point][int(stages)].append(float(ns))
    return measured


def half_width(times):
    return (max(times) - min(times)) / 2 / statistics.median(times)


def row(kind, point, measured):
    times = {stages: statistics.median(each) for stages, each in measured.items()}
    best = min((ns, stages) for stages, ns in times.items() if stages > 1)
    cells = ['%.4g' % (times[stages] / 1e3) if stages in times else '-' for stages in range(1, 7)]
    gain = '%.1f %%' % (100 * (times[1] / best[0] - 1))
    return [kind, point, *cells, gain, str(best[1]), '%.2f %%' % (100 * max(map(half_width, measured.values())))]


print('| kind | point | 1 | 2 | 3 | 4 | 5 | 6 | gain | at | half-width |')
print('|---' * 11 + '|')
for (kind, point), measured in read(sys.argv[1:]).items():
    print('| ' + ' | '.join(row(kind, point, measured)) + ' |')
