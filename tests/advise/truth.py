"""truth.py: what `time` of points.py and stages measured in several processes, judged: would more stages pay?

usage: truth.py [--table] FILE...     each file is what one process printed; one may be what `check` printed

Prints a line of fields with tabs between them for each point, below a line of their names; "-" is a number of stages that cannot be
launched. --table prints Markdown. How many points of a kind have which verdict goes to standard error.

ns-S      median of the processes' medians, ns a launch with S stages
half-S    half-width of time as run / time with S stages: half of the range of the processes' ratios, relative to their median. Stages
          take turns within a process, so what makes a whole process slower (where its memory lies, a warmer GPU) is no error of it
gain      time as run / best time at 2 to 6 stages - 1: the median of the processes' gains. `best` has the least ns-S
low high  least and largest gain of a process, at `best`
verdict   pays: 3 % and more; does-not; touches: 3 % lies between low and high. Not judged: wide (half-S of 2 to 6 stages is over 1 %), same-code (that of the stages as run and of 2 to 6 is one), does-not-fit (as run), wrong (by `check`)
"""
import collections
import statistics
import sys

STAGES = range(1, 7)
PAYS = 0.03
WIDEST = 0.01


class Measured:
    def __init__(self):
        self.as_run = None
        self.times = collections.defaultdict(list)  # {stages: [ns of each process]}
        self.codes = {}                             # {stages: hash}
        self.wrong = False


def read(paths):
    """{(kind, point): Measured}"""
    every = collections.defaultdict(Measured)
    for path in paths:
        with open(path) as lines:
            for kind, point, stages, *rest in map(str.split, lines):
                it = every[kind, point]
                if not rest:
                    it.as_run = int(stages)
                elif rest[0] in ('ok', 'wrong'):
                    it.wrong |= rest[0] == 'wrong'
                elif len(rest) > 1:
                    it.times[int(stages)].append(float(rest[0]))
                    # Nobody looked at code without a hash: it counts as different.
                    it.codes[int(stages)] = stages if rest[-1] == '-' else rest[-1]
    return every


def half_width(ratios):
    return (max(ratios) - min(ratios)) / 2 / statistics.median(ratios)


def ratios(it, stages):
    """[time as run / time with `stages`, of each process]"""
    return [now / then for now, then in zip(it.times[it.as_run], it.times[stages], strict=True)]


def judged(it):
    """{name of a field: value}, without kind and point."""
    ns = {stages: statistics.median(times) for stages, times in it.times.items()}
    fields = {'as-run': it.as_run}
    for stages in STAGES:
        fields['ns-%d' % stages] = ns.get(stages)
    for stages in STAGES:
        fields['half-%d' % stages] = half_width(ratios(it, stages)) if stages in ns and it.as_run in ns else None
    more = [stages for stages in ns if stages > 1]
    if it.as_run not in ns or not more:
        return dict(fields, gain=None, low=None, high=None, best=None, verdict='does-not-fit')
    best = min(more, key=ns.get)
    gains = [ratio - 1 for ratio in ratios(it, best)]
    fields.update(gain=statistics.median(gains), low=min(gains), high=max(gains), best=best)
    return dict(fields, verdict=verdict(it, fields, {it.as_run, *more}))


def verdict(it, fields, compared):
    if it.wrong:
        return 'wrong'
    if len({it.codes[stages] for stages in compared}) == 1:
        return 'same-code'
    if max(fields['half-%d' % stages] for stages in compared) > WIDEST:
        return 'wide'
    if fields['low'] <= PAYS <= fields['high']:
        return 'touches'
    return 'pays' if fields['gain'] >= PAYS else 'does-not'


def plain(name, value):
    if value is None:
        return '-'
    return '%.1f' % value if name.startswith('ns-') else '%.4f' % value if isinstance(value, float) else str(value)


def print_fields(every):
    for number, ((kind, point), fields) in enumerate(every.items()):
        if number == 0:
            print('kind', 'point', *fields, sep='\t')
        print(kind, point, *(plain(*field) for field in fields.items()), sep='\t')


def percent(part, digits):
    return '-' if part is None else '%.*f %%' % (digits, 100 * part)


def print_table(every):
    print('| kind | point | as run | 1 | 2 | 3 | 4 | 5 | 6 | gain | at | half-width | verdict |')
    print('|---' * 13 + '|')
    for (kind, point), fields in every.items():
        ns = [fields['ns-%d' % stages] for stages in STAGES]
        wide = max((fields['half-%d' % stages] for stages in STAGES if fields['half-%d' % stages] is not None), default=None)
        cells = [kind, point, fields['as-run'], *('-' if each is None else '%.4g' % (each / 1e3) for each in ns),
                 percent(fields['gain'], 1), '-' if fields['best'] is None else fields['best'], percent(wide, 2), fields['verdict']]
        print('| ' + ' | '.join(map(str, cells)) + ' |')


def tell_counts(every):
    counts = collections.defaultdict(collections.Counter)
    for (kind, _), fields in every.items():
        counts[kind][fields['verdict']] += 1
    for kind, verdicts in counts.items():
        print('%s: %d points:' % (kind, sum(verdicts.values())), ', '.join('%d %s' % (n, each) for each, n in verdicts.items()), file=sys.stderr)


def main(words):
    as_table = words[:1] == ['--table']
    every = {name: judged(it) for name, it in read(words[as_table:]).items()}
    (print_table if as_table else print_fields)(every)
    tell_counts(every)


main(sys.argv[1:])
