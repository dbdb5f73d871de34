"""score.py: how good is advice on stages: what `dbprof advise` said of kernels, held against their measured times.

usage: score.py [-t] TRUTH -- ADVICE...
       score.py -l FOLDER...
TRUTH is what truth.py printed. ADVICE are files with a JSON line for each kernel, whose "kernel" is POINT@STAGES, the number as run
(judge.c prints such), or folders: `report.json` of `dbprof advise`, and `run`, what the program printed, which tells the names of the
points' kernels. -t prints the table of all points too. -l prints lines of the advice in folders, as tests/data/advise/advice.jsonl has them.

Verdicts are those of truth.py: pays from a gain of 3 % on. Points that it does not judge (same-code, does-not-fit, wrong) are no points
here; those that it leaves open (touches, wide) are listed and not scored. "too-close" is right where the gain is less than 6 % in size.
Points that no advice was given on count as wrong.
"""
import collections
import csv
import json
import os
import statistics
import subprocess
import sys

PAYS, CLOSE, ALIKE = 0.03, 0.06, 1.03
# No model was held against these before its advice on them was committed.
HELD_OUT = ('fused',)
NO_ADVICE = {'verdict': 'unknown', 'stages': 0, 'gain': []}


def read_truth(file):
    """{POINT@STAGES: row of truth.py}"""
    with open(file) as lines:
        rows = [row for row in csv.DictReader(lines, delimiter='\t') if row['verdict'] not in ('same-code', 'does-not-fit', 'wrong')]
    return {'%s@%s' % (row['point'], row['as-run']): row for row in rows}


def demangled(names):
    done = subprocess.run(['c++filt'], input='\n'.join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.split('\n')))


def points_of_kernels(file):
    """{name of a kernel as a report has it: POINT@STAGES}"""
    with open(file) as lines:
        told = [words for words in map(str.split, lines) if len(words) == 6 and words[2].isdigit()]
    names = demangled([words[3] for words in told])
    return {names[words[3]]: '%s@%s' % (words[1], words[2]) for words in told}


def read_advice(paths):
    for path in paths:
        if os.path.isdir(path):
            points = points_of_kernels(os.path.join(path, 'run'))
            with open(os.path.join(path, 'report.json')) as report:
                for advice in json.load(report)['recordings'][0]['advice']:
                    if advice['name'] in points:
                        yield points[advice['name']], advice
        else:
            with open(path) as lines:
                for advice in map(json.loads, lines):
                    yield advice['kernel'], advice


class Point:
    def __init__(self, truth, advice):
        self.point, self.kind, self.now, self.advice = truth['point'], truth['kind'], int(truth['as-run']), advice
        self.ns = {stages: float(truth['ns-%d' % stages]) for stages in range(1, 7) if truth['ns-%d' % stages] != '-'}
        self.best_at, self.gain, self.truth = int(truth['best']), float(truth['gain']), truth['verdict']
        self.least = min(self.ns[self.now], self.ns[self.best_at])

    def is_scored(self):
        return self.truth in ('pays', 'does-not')

    def verdict(self):
        return self.advice['verdict']

    def is_right(self):
        if self.verdict() == 'too-close':
            return abs(self.gain) < CLOSE
        return self.verdict() == self.truth

    def take(self):
        """Who is not told that it pays leaves the number as it is."""
        stages = self.advice['stages']
        return stages if stages in self.ns and self.verdict() == 'pays' else self.now

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
        """The number as run is not among them: its gain is 0 by definition."""
        return [abs((1 + mid) / (self.ns[self.now] / self.ns[s]) - 1) for s, mid in self.mids().items() if s in self.ns and s != self.now]

    def held(self):
        """Which gains lie in their intervals, but for that of the number as run, which is 0 by definition."""
        return [g['low'] <= self.ns[self.now] / self.ns[g['stages']] - 1 <= g['high'] for g in self.advice['gain'] or []
                if g.get('low') is not None and g['stages'] in self.ns and g['stages'] != self.now]


def share(flags):
    flags = list(flags)
    return '%.0f %%' % (100 * sum(flags) / len(flags)) if flags else '-'


def middle(values):
    values = [v for v in values if v is not None]
    return '%.1f %%' % (100 * statistics.median(values)) if values else '-'


def row(title, points):
    scored = [p for p in points if p.is_scored()]
    pay = [p.truth == 'pays' for p in scored]
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


def line(kernel, advice):
    """What scores and tables need of an advice, as a line of JSON."""
    now = advice.get('now')
    gain = [{key: each[key] if key == 'stages' or each[key] is None else round(each[key], 4) for key in ('stages', 'low', 'mid', 'high')}
            for each in advice['gain'] or []]
    causes = [each['id'] for each in advice.get('causes') or []]
    return json.dumps(dict(kernel=kernel, verdict=advice['verdict'], now=now and now['stages']['value'], stages=advice['stages'], gain=gain,
                           causes=causes, lacking=advice.get('lacking')), separators=(',', ':'))


def main(arguments):
    if arguments[:1] == ['-l']:
        for each in read_advice(arguments[1:]):
            print(line(*each))
        return
    with_table = arguments[:1] == ['-t']
    arguments = arguments[with_table:]
    split = arguments.index('--')
    advice = dict(read_advice(arguments[split + 1:]))
    truth = read_truth(arguments[0])
    told = {truth[name]['kind'] for name in advice if name in truth}
    points = [Point(row, advice.get(name, NO_ADVICE)) for name, row in truth.items() if row['kind'] in told]
    kinds = collections.defaultdict(list)
    for point in points:
        kinds[point.kind].append(point)
    table([HEAD, *(row(kind + (', held out' if kind in HELD_OUT else ''), kinds[kind]) for kind in kinds), row('all', points)])
    if with_table:
        print()
        table([['kind', 'point', 'as run', 'gain', 'best', 'verdict', 'predicted', 'take', 'gain of that', '']] + [point_row(p) for p in points])


main(sys.argv[1:])
