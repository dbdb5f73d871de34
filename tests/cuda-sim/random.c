/* random.c: classes of random programs: what they draw, and their table. */
#include <math.h>

#include "random.h"

int64_t any_time(struct program *p, int64_t least, int64_t most)
{
	return (int64_t)((double)least * pow((double)most / (double)least, program_random(p)));
}

bool maybe(struct program *p, double chance)
{
	return program_random(p) < chance;
}

struct program *begin(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = program_new(recipe->class, "random", seed);

	program_random(p);
	p->shape.sync_as_nsys = maybe(p, 0.5);
	p->shape.no_event_sync_id = maybe(p, 0.4);
	p->shape.ranges = maybe(p, 0.3);
	p->machine.engines = maybe(p, 0.1) ? 1 : maybe(p, 0.5) ? 2 : 3;
	return p;
}

enum stream_kind any_kind(struct program *p)
{
	static const enum stream_kind kinds[] = {
		STREAM_LEGACY, STREAM_LEGACY, STREAM_BLOCKING, STREAM_PER_THREAD, STREAM_NON_BLOCKING};

	return kinds[program_between(p, 0, 4)];
}

double any_noise(struct program *p)
{
	return maybe(p, 0.3) ? 0 : 0.15 * program_random(p);
}

int any_rounds(struct program *p)
{
	return (int)program_between(p, 24, 120);
}

struct chain any_chain(struct program *p)
{
	int64_t middle = any_time(p, 100 * US, 2 * MS);
	struct chain chain = {.noise = any_noise(p), .kernel = any_time(p, middle / 3, middle * 3)};

	chain.in = maybe(p, 0.9) ? any_time(p, middle / 3, middle * 3) : 0;
	chain.out = chain.in == 0 || maybe(p, 0.7) ? any_time(p, middle / 3, middle * 3) : 0;
	chain.kernels = maybe(p, 0.5) ? 1 : (int)program_between(p, 2, 5);
	return chain;
}

const struct recipe random_programs[] = {
	{"chain", "random", make_chain, 0},
	{"around", "random", make_around, 0},
	{"copies", "random", make_copies, 0},
	{"host", "random", make_host, 0},
	{"jitter", "random", make_jitter, 0},
	{"sizes", "random", make_sizes, 0},
	{"pinned-rates", "random", make_pinned_rates, 0},
	{"phases", "random", make_phases, 0},
	{"paused", "random", make_paused, 0},
	{"irregular", "random", make_irregular, 0},
	{"parts", "random", make_parts, 0},
	{"middle-wait", "random", make_middle_wait, 0},
	{"multi-copy", "random", make_multi_copy, 0},
	{"pipeline", "random", make_pipeline, 0},
	{"buffered", "random", make_buffered, 0},
	{"beside", "random", make_beside, 0},
	{"groups", "random", make_groups, 0},
	{"threads", "random", make_threads, 0},
	{"hand-over", "random", make_hand_over, 0},
	{"hand-over-events", "random", make_hand_over_events, 0},
	{"training", "random", make_training, 0},
	{"epochs", "random", make_epochs, 0},
	{"autograd", "random", make_autograd, 0},
	{"gpus", "random", make_gpus, 0},
	{"collectives", "random", make_collectives, 0},
	{"data-parallel", "random", make_parallel, 0},
	{"graphs", "random", make_graphs, 0},
	{"queue", "random", make_queue, 0},
	{"kernels", "random", make_kernels, 0},
	{"upload", "random", make_upload, 0},
	{"one-round", "random", make_one_round, 0},
	{0},
};
