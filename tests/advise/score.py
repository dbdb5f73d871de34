"""score.py: how good is advice on stages: what `dbprof advise` said of kernels, held against their measured times.

usage: score.py [-t] TRUTH... -- ADVICE...
TRUTH are what points.py and stages.cu printed, a file for each process. ADVICE are files with a JSON line for each kernel, whose
"kernel" is POINT@STAGES, the number as run (judge.c prints such), or report.json or summary.json of dbprof advise in a folder of that name, or as
POINT@STAGES.json: the kernel with the most time counts.
-t prints the table of all points too.

Gain is the time as run over the best one with 2 to 6 stages, less 1; 3 % and more pay. Points whose gain may lie on either side of
3 %, by what the processes' medians differ, are listed and not scored. "too-close" is right where the gain is less than 6 % in size.
"""
import collections
import json
import os
import statistics
import sys

PAYS, CLOSE, ALIKE = 0.03, 0.06, 1.03
MOST = range(2, 7)


def read_truth(files):
    """{point: (kind, {stages: [ns of each process]})}"""
    times = {}
    for file in files:
        for line in open(file):
            kind, point, stages, ns, *rest = line.split()
            if rest:
                times.setdefault(point, (kind, {}))[1].setdefault(int(stages), []).append(float(ns))
    return times


def advice_of_report(file):
    report = json.load(open(file))
    for part in (report, *report.get('recordings', []), *report.get('programs', [])):
        if part.get('advice'):
            return part['advice'][0]
    return {'verdict': 'unknown', 'stages': 0, 'gain': []}


def read_advice(files):
    for file in files:
        if file.endswith('.json'):
            folder, name = os.path.split(os.path.abspath(file))
            yield (name[:-len('.json')] if '@' in name else os.path.basename(folder)), advice_of_report(file)
        else:
            for line in open(file):
                advice = json.loads(line)
                yield advice['kernel'], advice


class Point:
    def __init__(self, name, truth, advice):
        self.point, now = name.rsplit('@', 1)
        self.now, self.advice = int(now), advice
        self.kind, every = truth[self.point]
        self.ns = {stages: statistics.median(ns) for stages, ns in every.items()}
        self.best_at = min((s for s in MOST if s in self.ns), key=self.ns.get)
        self.gain = self.ns[self.now] / self.ns[self.best_at] - 1
        self.doubt = sum((max(every[s]) - min(every[s])) / 2 / self.ns[s] for s in {self.now, self.best_at})
        self.least = min(self.ns[self.now], self.ns[self.best_at])

    def is_scored(self):
        return abs(self.gain - PAYS) > self.doubt * (1 + self.gain) or self.now == self.best_at

    def verdict(self):
        return self.advice['verdict']

    def is_right(self):
        if self.verdict() == 'too-close':
            return abs(self.gain) < CLOSE
        return self.verdict() == ('pays' if self.gain >= PAYS else 'does-not')

    def take(self):
        stages = self.advice['stages'] or self.now
        return stages if stages in self.ns else self.now

    def is_alike(self, stages):
        return stages in self.ns and self.ns[stages] <= ALIKE * self.least

    def costs(self):
        return self.ns[self.take()] > ALIKE * self.ns[self.now]

    def mids(self):
        return {g['stages']: g['mid'] for g in self.advice['gain'] or [] if g.get('mid') is not None}

    def predicted(self):
        return max(self.mids().values(), default=None)

    def error(self):
        said = self.predicted()
        return None if said is None else abs((1 + said) / (1 + self.gain) - 1)

    def stage_errors(self):
        return [abs((1 + mid) / (self.ns[self.now] / self.ns[s]) - 1) for s, mid in self.mids().items() if s in self.ns]

    def held(self):
        """Which gains lie in their intervals."""
        return [g['low'] <= self.ns[self.now] / self.ns[g['stages']] - 1 <= g['high'] for g in self.advice['gain'] or []
                if g.get('low') is not None and g['stages'] in self.ns]


def share(flags):
    flags = list(flags)
    return '%.0f %%' % (100 * sum(flags) / len(flags)) if flags else '-'


def middle(values):
    values = [v for v in values if v is not None]
    return '%.1f %%' % (100 * statistics.median(values)) if values else '-'


def row(title, points):
    scored = [p for p in points if p.is_scored()]
    pay = [p.gain >= PAYS for p in scored]
    fixed = max(range(1, 7), key=lambda s: sum(p.is_alike(s) for p in points))
    return [title, len(points), len(scored), share(pay), share(p.is_right() for p in scored), max(share(pay), share(not x for x in pay),
            key=lambda text: float(text.split()[0]) if text != '-' else 0), share(p.verdict() == 'too-close' for p in points),
            share(p.is_alike(p.take()) for p in points), '%s (%d)' % (share(p.is_alike(fixed) for p in points), fixed),
            share(p.costs() for p in points), middle(p.error() for p in points), middle(e for p in points for e in p.stage_errors()),
            share(h for p in points for h in p.held())]


HEAD = ['kind', 'points', 'scored', 'pay', 'verdict right', 'always or never', 'too close', 'stages within 3 %', 'best fixed number',
        'costs over 3 %', 'error of the gain', 'of all stages', 'in the interval']


def table(rows):
    print('|'.join(['', *map(str, rows[0]), '']))
    print('|---' * len(rows[0]) + '|')
    for each in rows[1:]:
        print('|'.join(['', *(' %s ' % x for x in each), '']))


def point_row(p):
    said = p.predicted()
    return [p.kind, p.point, p.now, '%.1f %%' % (100 * p.gain), p.best_at, p.verdict(), '-' if said is None else '%.1f %%' % (100 * said),
            p.take(), '%.1f %%' % (100 * (p.ns[p.now] / p.ns[p.take()] - 1)),
            ' '.join(['' if p.is_right() else 'wrong' if p.is_scored() else 'not scored', 'costs' if p.costs() else '',
                      '' if p.is_alike(p.take()) else 'stages']).strip()]


def main(arguments):
    with_table = arguments[:1] == ['-t']
    arguments = arguments[with_table:]
    split = arguments.index('--')
    truth = read_truth(arguments[:split])
    points = [Point(name, truth, advice) for name, advice in read_advice(arguments[split + 1:])]
    kinds = collections.defaultdict(list)
    for point in points:
        kinds[point.kind].append(point)
    table([HEAD, *(row(kind, kinds[kind]) for kind in kinds), row('all', points)])
    if with_table:
        print()
        table([['kind', 'point', 'as run', 'gain', 'best', 'verdict', 'predicted', 'take', 'gain of that', '']] + [point_row(p) for p in points])


main(sys.argv[1:])
