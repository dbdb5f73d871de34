/* estimate.c: what several buffers gain in a phase, by replays. */
#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"
#include "model/trace/pays/phasing.h"
#include "util/alloc.h"

/* So many rounds are replayed at least. */
enum { ROUNDS_LEAST = 64 };

/* Gains so close together are the same. Share of the loop. */
static const double same_gain = 0.001;

double cut_loops(struct replay_loop *loops, size_t n, size_t most)
{
	size_t calls = 0, before = 0, after = 0;
	double part;

	for (size_t l = 0; l < n; l++)
		calls += loops[l].first[loops[l].rounds] - loops[l].first[0];
	part = calls > most ? (double)most / (double)calls : 1;
	for (size_t l = 0; l < n && part < 1; l++) {
		double part_of_least = (double)ROUNDS_LEAST / (double)loops[l].rounds;

		part = fmin(fmax(part, part_of_least), 1);
	}
	for (size_t l = 0; l < n && part < 1; l++) {
		size_t rounds = (size_t)ceil((double)loops[l].rounds * part);

		before += loops[l].rounds;
		after += rounds;
		loops[l].first += (loops[l].rounds - rounds) / 2;
		loops[l].rounds = rounds;
	}
	return part < 1 ? (double)before / (double)after : 1;
}

static double phase_gain(const struct phasing *phasing, int buffers, const bool *freed)
{
	const struct replay_change change = {.buffers = buffers, .freed = freed};
	double after = replay_duration(&phasing->replay, &change);

	return fmax((phasing->before - after) * phasing->calibrate, 0) * phasing->scale;
}

/* The gain if copies in both directions did not slow each other down more than they must. */
static double gain_at_rate(const struct phasing *phasing, struct pays_duplex rate)
{
	struct replay_program program = *phasing->replay.program;
	struct phasing other = *phasing;

	program.rate = rate;
	other.replay.program = &program;
	return phase_gain(&other, 2, NULL);
}

/* What of the gain comes from copies in both directions at once: what one engine for both would not give. */
static double gain_of_both_ways(const struct phasing *phasing, double gain)
{
	struct replay_program program = *phasing->replay.program;
	struct phasing other = *phasing;
	bool *shared = xcalloc((size_t)program.ndevices + 1, sizeof(*shared));
	double one_way;

	for (int d = 0; d < program.ndevices; d++)
		shared[d] = true;
	program.shared_copies = shared;
	other.replay.program = &program;
	one_way = phase_gain(&other, 2, NULL);
	free(shared);
	return fmax(gain - one_way, 0);
}

/* The gains of all numbers of buffers. More than `most` is not to be had; and where one buffer more adds nothing to
 * what others gain, the next adds nothing either. */
static void find_gains(const struct phasing *phasing, struct pays_phase *phase, double most)
{
	double same = same_gain * phase->loop;
	bool full = most < same;

	for (int k = PAYS_BUFFERS_LEAST; k <= PAYS_BUFFERS_MOST; k++) {
		double before = k > PAYS_BUFFERS_LEAST ? phase->gain[k - 1] : 0;

		phase->gain[k] = full ? before : phase_gain(phasing, k, NULL);
		full = full || phase->gain[k] > most - same ||
		       (before > pays_least / 2 * phase->loop && fabs(phase->gain[k] - before) < same);
	}
	phase->gain_high = phase->gain[2];
	if (phase->gain[2] <= most - same)
		phase->gain_high = fmax(gain_at_rate(phasing, (struct pays_duplex){1, 1}), phase->gain[2]);
}

/* What the replay does not know is not sold as a gain. The time of migrations is latency of kernels or work of the host
 * to it, and an engine that works for other processes seems to idle. */
static void leave_out_unknown(struct pays_phase *phase)
{
	double most = phase->unused < 1 ? phase->unused * phase->loop : phase->loop;

	if (phase->managed.count > 0)
		most = fmin(most, phase->managed.rest);
	for (int k = PAYS_BUFFERS_LEAST; k <= PAYS_BUFFERS_MOST; k++)
		phase->gain[k] = fmin(phase->gain[k], most);
	phase->gain_high = fmin(phase->gain_high, most);
}

/* What of the gain is lost where the loop goes on to make and free memory in its rounds. */
static void find_gain_of_memory(const struct phasing *phasing, struct pays_phase *phase)
{
	const int buffers = memory_buffers(phase);
	const struct replay_change change = {.buffers = buffers, .keeps_memory = true};
	double kept;

	if (phase->memory.n == 0 || !(phase->gain[buffers] > 0))
		return;
	kept = (phasing->before - replay_duration(&phasing->replay, &change)) * phasing->calibrate * phasing->scale;
	phase->memory.gain = fmax(phase->gain[buffers] - fmax(kept, 0), 0);
}

void replay_loops_of_phase(struct phasing *phasing, struct pays_phase *phase)
{
	double recorded = replay_recorded(&phasing->replay), most;

	phase->gain_both = phase->memory.gain = 0;
	phasing->before = replay_duration(&phasing->replay, &(struct replay_change){.buffers = 1});
	phasing->calibrate = phasing->before > 0 ? fmin(recorded / phasing->before, 1) : 1;
	/* Where the host is ahead of the GPU, its lead is in the time of the replayed rounds as well. */
	phase->loop = fmin(phase->loop, recorded * phasing->scale);
	phase->replay = recorded > 0 ? phase->loop * (phasing->before / recorded) : phasing->before;
	most = (phasing->before - replay_least(&phasing->replay)) * phasing->calibrate * phasing->scale;
	find_gains(phasing, phase, most);
	leave_out_unknown(phase);
	find_gain_of_memory(phasing, phase);
	if (phase->gain[2] >= pays_least * phase->loop)
		phase->gain_both = gain_of_both_ways(phasing, phase->gain[2]);
}
