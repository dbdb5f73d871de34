/* joint.c: GPUs wait for each other in collectives, whatever process has asked for them: what a process saves depends
 * on what the others do. So their loops are replayed together. */
#include <stdlib.h>

#include "model/trace/pays/phasing.h"
#include "util/alloc.h"

/* A loop is replayed with a phase if so many of its collectives wait for those of the phase. */
enum { LEAST_MEETINGS = 3 };

/* ---- programs ---- */

static bool has_collectives(const struct pays_findings *findings)
{
	const struct replay_program *program = &findings->phasing.program->program;

	for (size_t p = 0; p < program->npieces; p++) {
		if (program->piece[p].cls == WORK_KERNEL && program->piece[p].kind == REPLAY_COLLECTIVE)
			return true;
	}
	return false;
}

static void calm_kernels(struct pays_joint *joint)
{
	for (size_t i = 0; i < joint->n; i++) {
		for (size_t f = 0; f < joint->findings[i]->n; f++) {
			const struct found_phase *found = &joint->findings[i]->found[f];

			for (size_t l = 0; l < found->nloops; l++)
				replay_calm_kernels(&joint->joined, i, &found->loop[l]);
		}
	}
}

static bool has_gpus_to_join(struct pays_findings *const *findings, size_t n)
{
	size_t gpus = 0;

	for (size_t i = 0; i < n; i++)
		gpus += (size_t)findings[i]->phasing.program->program.ndevices;
	return gpus >= 2 && gpus <= REPLAY_JOINED_GPUS_MOST;
}

/* Joins the programs of a stretch; false if none of them waits for another GPU. */
static bool joint_make(struct pays_joint *joint, struct pays_findings *const *findings, size_t n)
{
	const struct replay_program **program;
	const struct replay_orders **orders;

	if (!has_gpus_to_join(findings, n))
		return false;
	program = xcalloc(n + 1, sizeof(*program));
	orders = xcalloc(n + 1, sizeof(*orders));
	*joint = (struct pays_joint){.findings = findings, .n = n};
	for (size_t i = 0; i < n; i++) {
		program[i] = &findings[i]->phasing.program->program;
		orders[i] = &findings[i]->phasing.orders;
	}
	replay_join(&joint->joined, program, orders, n);
	free(program);
	free(orders);
	if (joint->joined.program.nmeetings > 0)
		calm_kernels(joint);
	if (joint->joined.program.nmeetings == 0)
		replay_joined_free(&joint->joined);
	return joint->joined.program.nmeetings > 0;
}

struct pays_joint *joints_find(struct pays_findings *const *findings, size_t n, size_t *count)
{
	struct pays_joint *joints = xcalloc(n + 1, sizeof(*joints));
	size_t end;

	*count = 0;
	for (size_t first = 0; first < n; first = end) {
		bool any = false;

		for (end = first;
			end < n && findings[end]->phasing.program->stretch == findings[first]->phasing.program->stretch;
			end++)
			any = any || has_collectives(findings[end]);
		if (!any || !joint_make(&joints[*count], findings + first, end - first))
			continue;
		for (size_t i = first; i < end; i++) {
			findings[i]->joint = &joints[*count];
			findings[i]->part = i - first;
		}
		++*count;
	}
	return joints;
}

void joints_free(struct pays_joint *joints, size_t n)
{
	for (size_t i = 0; i < n; i++)
		replay_joined_free(&joints[i].joined);
	free(joints);
}

/* ---- loops ---- */

/* Adds a loop of a part; NULL: it is replayed as the part's own program. */
static void add_loop(struct joint_loops *loops, const struct replay_loop *loop, const struct replay_part *part)
{
	size_t room = loops->room;
	struct replay_loop *out;

	xgrow(&loops->first, loops->n, &room, sizeof(*loops->first));
	xgrow(&loops->loop, loops->n, &loops->room, sizeof(*loops->loop));
	out = &loops->loop[loops->n];
	*out = *loop;
	out->first = loops->first[loops->n++] = xmemdup(loop->first, (loop->rounds + 1) * sizeof(*out->first));
	if (!part)
		return;
	out->thread += part->threads;
	for (size_t r = 0; r <= loop->rounds; r++)
		out->first[r] += part->turns;
}

/* Marks the meetings of a phase's collectives, or counts those that are marked. */
static size_t meetings_of(const struct pays_joint *joint, const struct found_phase *found, bool *marked, bool mark)
{
	const uint32_t *joined = joint->joined.part[found->of->part].piece;
	size_t n = 0;

	for (size_t i = 0; i < found->list.n; i++) {
		uint32_t meeting = joint->joined.program.piece[joined[found->list.piece[i]]].meeting;

		n += meeting > 0 && marked[meeting];
		marked[meeting] = marked[meeting] || mark;
	}
	return n;
}

/* Whether the thread of a loop of a phase has a loop already. */
static bool has_thread(const struct joint_loops *loops, const struct found_phase *found, const struct replay_part *part)
{
	for (size_t l = 0; l < loops->n; l++) {
		for (size_t k = 0; k < found->nloops; k++) {
			if (loops->loop[l].thread == found->loop[k].thread + part->threads)
				return true;
		}
	}
	return false;
}

static void add_loops_of(struct joint_loops *loops, const struct found_phase *found, const struct replay_part *part)
{
	for (size_t l = 0; l < found->nloops; l++)
		add_loop(loops, &found->loop[l], part);
}

/* Adds the loops whose collectives those of a phase wait for. */
static void add_companions(struct joint_loops *loops, const struct pays_joint *joint, const struct found_phase *found)
{
	bool *marked = xcalloc(joint->joined.program.nmeetings + 1, sizeof(*marked));

	meetings_of(joint, found, marked, true);
	for (size_t i = 0; i < joint->n; i++) {
		const struct pays_findings *findings = joint->findings[i];
		const struct replay_part *part = &joint->joined.part[i];

		for (size_t f = 0; f < findings->n; f++) {
			const struct found_phase *other = &findings->found[f];

			if (other != found && !has_thread(loops, other, part) &&
				meetings_of(joint, other, marked, false) >= LEAST_MEETINGS)
				add_loops_of(loops, other, part);
		}
	}
	free(marked);
}

void joint_loops_make(struct joint_loops *loops, struct phasing *phasing, const struct found_phase *found, bool alone)
{
	const struct pays_joint *joint = alone ? NULL : found->of->joint;

	*loops = (struct joint_loops){0};
	phasing->joint = NULL;
	phasing->replay =
		(struct replay_phase){.program = &phasing->program->program, .orders = &found->of->phasing.orders};
	if (joint) {
		add_loops_of(loops, found, &joint->joined.part[found->of->part]);
		loops->own = loops->n;
		add_companions(loops, joint, found);
	}
	if (joint && loops->n > loops->own) {
		phasing->joint = joint;
		phasing->part = found->of->part;
		loops->program = joint->joined.program;
		loops->program.rate = phasing->program->program.rate;
		phasing->replay.program = &loops->program;
		phasing->replay.orders = &joint->joined.orders;
		phasing->replay.ncompanions = loops->n - loops->own;
	} else {
		joint_loops_free(loops);
		add_loops_of(loops, found, NULL);
		loops->own = loops->n;
	}
	phasing->replay.loop = loops->loop;
	phasing->replay.nloops = loops->n;
}

void joint_loops_free(struct joint_loops *loops)
{
	for (size_t l = 0; l < loops->n; l++)
		free(loops->first[l]);
	free(loops->first);
	free(loops->loop);
	*loops = (struct joint_loops){0};
}

/* Copies of other programs are freed: what the phase's own ones add is asked for. */
double joint_duration(const struct phasing *phasing, const struct replay_change *change)
{
	const struct replay_joined *joined = phasing->joint ? &phasing->joint->joined : NULL;
	struct replay_change other = *change;
	double duration;
	bool *freed;

	if (!joined || !change->freed)
		return replay_duration(&phasing->replay, change);
	freed = xreallocarray(NULL, joined->program.npieces + 1, sizeof(*freed));
	for (size_t p = 0; p < joined->program.npieces; p++)
		freed[p] = true;
	for (size_t p = 0; p < phasing->program->program.npieces; p++)
		freed[joined->part[phasing->part].piece[p]] = change->freed[p];
	other.freed = freed;
	duration = replay_duration(&phasing->replay, &other);
	free(freed);
	return duration;
}
