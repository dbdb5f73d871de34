/* read.c: see asm.h. */
#include "analyze/asm/asm.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/asm/rounds.h"

/* Without a loop, fewer tiles that follow each other may be something else. */
enum { UNROLLED_LEAST = 3 };

const char *asm_way_name(enum asm_way way)
{
	static const char *const names[ASM_WAYS] = {"none", "registers", "ldgsts", "ublkcp", "utmaldg"};

	return way < ASM_WAYS ? names[way] : "unknown";
}

/* ---- the way ---- */

/* Values that are loaded, and others that are stored to shared memory and read behind a barrier, may be tiles that were
 * changed on their way. */
static bool may_change_tiles(const struct asm_rounds *rounds)
{
	const size_t *kinds = rounds->kinds;

	return kinds[ASM_LOAD] > 0 && kinds[ASM_SHARED_STORE] > 0 && kinds[ASM_BARRIER] > 0 &&
	       kinds[ASM_SHARED_LOAD] + kinds[ASM_MMA_SHARED] > 0;
}

/* Tiles that come in two ways are told by the more frequent one, and nothing is said of how many are under way. */
static bool tell_way(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	const size_t by_way[ASM_WAYS] = {0, rounds->tile_stores, rounds->kinds[ASM_LDGSTS], rounds->kinds[ASM_UBLKCP],
		rounds->kinds[ASM_UTMALDG]};
	size_t ways = 0;

	out->way = ASM_WAY_NONE;
	for (int way = 1; way < ASM_WAYS; way++) {
		ways += by_way[way] > 0;
		if (by_way[way] > by_way[out->way])
			out->way = (enum asm_way)way;
	}
	if (ways == 0)
		out->way_how = may_change_tiles(rounds) ? ASM_UNKNOWN : ASM_SEEN;
	else
		out->way_how = ways == 1 ? ASM_SEEN : ASM_INFERRED;
	return ways == 1;
}

static enum asm_kind kind_of_way(enum asm_way way)
{
	static const enum asm_kind kinds[ASM_WAYS] = {ASM_LOAD, ASM_SHARED_STORE, ASM_LDGSTS, ASM_UBLKCP, ASM_UTMALDG};

	return kinds[way];
}

/* ---- bytes ---- */

/* Of a bulk copy: the register with its size, in units of 16 bytes, was set shortly before. -1: unknown. */
static int64_t bulk_bytes(const struct asm_graph *graph, size_t place)
{
	enum { LOOK_BACK = 64, UNIT = 16, MOST = 1 << 16 };
	const char *size = strrchr(graph->ops[place].operands, ',');
	int file, number = size ? asm_register_at(size + 1 + strspn(size + 1, " "), &file) : -1;

	if (number < 0)
		return -1;
	for (size_t back = 1; back <= LOOK_BACK && back <= place; back++) {
		const struct asm_op *op = &graph->ops[place - back];
		const char *comma = strrchr(op->operands, ',');
		int to_file, to = asm_register_at(op->operands, &to_file);
		char *end;
		long long value;

		if (to != number || to_file != file)
			continue;
		if (!comma || strncmp(op->name, "UMOV", 4) != 0)
			return -1;
		value = strtoll(comma + 1, &end, 0);
		return end == comma + 1 || value <= 0 || value > MOST ? -1 : value * UNIT;
	}
	return -1;
}

static int64_t bytes_of_event(const struct asm_rounds *rounds, const struct asm_event *event, enum asm_way way)
{
	if (way == ASM_WAY_UBLKCP)
		return bulk_bytes(rounds->graph, event->place);
	if (way == ASM_WAY_UTMALDG)
		return -1;
	if (way == ASM_WAY_REGISTERS)
		return rounds->graph->ops[rounds->flow->source[event->place]].bytes;
	return rounds->graph->ops[event->place].bytes;
}

/* If all copies have the same. */
static void tell_bytes(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	int64_t common = 0;

	for (size_t i = 0; i < rounds->n; i++) {
		const struct asm_event *event = &rounds->events[i];
		int64_t bytes;

		if (event->kind != kind_of_way(out->way) || (out->way == ASM_WAY_REGISTERS && !event->is_tile_store))
			continue;
		bytes = bytes_of_event(rounds, event, out->way);
		if (bytes < 0 || (common > 0 && bytes != common))
			return;
		common = bytes;
	}
	if (common > 0 && out->way != ASM_WAY_NONE)
		out->bytes = (struct asm_fact){common, ASM_SEEN};
}

/* ---- a round ---- */

static bool has_groups(const struct asm_rounds *rounds)
{
	return rounds->kinds[ASM_WAIT] > 0 && rounds->kinds[ASM_ARRIVE_COPY] == 0;
}

/* Rounds in a turn of the loop; 0: unknown. Inner loops that copy and tell so may do it as often as they like. */
static size_t rounds_in_turn(const struct asm_rounds *rounds, enum asm_way way)
{
	size_t waits = asm_mbarrier_waits(rounds);

	if (way == ASM_WAY_NONE)
		return 1;
	if (way == ASM_WAY_REGISTERS)
		return asm_store_phases(rounds);
	if (way == ASM_WAY_LDGSTS && has_groups(rounds))
		return rounds->inner[ASM_WAIT] > 0 || rounds->waits == ASM_WAITS_VARY ? 0 : rounds->kinds[ASM_WAIT];
	if (rounds->inner[ASM_ARRIVE] + rounds->inner[ASM_ARRIVE_COPY] + rounds->inner[ASM_CHECK] > 0)
		return 0;
	return waits == 1 ? 1 : 0;
}

static void tell_counts(const struct asm_rounds *rounds, size_t turn, struct asm_kernel *out)
{
	const size_t *kinds = rounds->kinds;
	const double per = turn > 0 ? 1.0 / (double)turn : 1.0;
	size_t all = 0;

	for (int kind = 0; kind < ASM_KINDS; kind++)
		all += kind == ASM_NEVER ? 0 : kinds[kind];
	out->counts = (struct asm_counts){
		.loads = (double)kinds[ASM_LOAD] * per,
		.stores = (double)kinds[ASM_STORE] * per,
		.copies = (double)(kinds[ASM_LDGSTS] + kinds[ASM_UBLKCP] + kinds[ASM_UTMALDG]) * per,
		.shared_loads = (double)kinds[ASM_SHARED_LOAD] * per,
		.shared_stores = (double)kinds[ASM_SHARED_STORE] * per,
		.fma = (double)kinds[ASM_FMA] * per,
		.mma = (double)(kinds[ASM_MMA] + kinds[ASM_MMA_SHARED]) * per,
	};
	out->counts.others = (double)all * per - out->counts.loads - out->counts.stores - out->counts.copies -
			     out->counts.shared_loads - out->counts.shared_stores - out->counts.fma - out->counts.mma;
}

/* The other warps' loops have barriers of their own. */
static bool others_have_barriers(const struct asm_rounds *rounds)
{
	for (size_t l = 0; l < rounds->graph->nloops; l++)
		if ((int)l != rounds->loop && asm_reads_of(&rounds->tallies[l]) > 0 &&
			rounds->tallies[l].kinds[ASM_BARRIER] > 0)
			return true;
	return false;
}

static void tell_barriers(const struct asm_rounds *rounds, size_t turn, struct asm_kernel *out)
{
	if (rounds->inner[ASM_BARRIER] == 0 && !(out->is_specialised && others_have_barriers(rounds)))
		out->barriers = asm_per_round(rounds->kinds[ASM_BARRIER], turn);
	out->mbarriers = asm_per_round(asm_mbarrier_waits(rounds), turn);
}

static void read_round(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	bool is_one_way = tell_way(rounds, out);
	size_t turn = rounds_in_turn(rounds, out->way);

	out->waits_vary = rounds->waits == ASM_WAITS_VARY;
	tell_counts(rounds, turn, out);
	tell_bytes(rounds, out);
	if (turn > 0 && out->way != ASM_WAY_NONE)
		out->unrolled = (struct asm_fact){(int64_t)turn, ASM_SEEN};
	if (out->way_how == ASM_UNKNOWN)
		return;
	if (out->way == ASM_WAY_NONE) {
		out->buffers = (struct asm_fact){0, ASM_SEEN};
		asm_read_plain(rounds, out);
	} else if (is_one_way && out->way == ASM_WAY_REGISTERS) {
		asm_read_registers(rounds, turn, out);
	} else if (is_one_way && out->way == ASM_WAY_LDGSTS && has_groups(rounds)) {
		asm_read_groups(rounds, turn, out);
	} else if (is_one_way) {
		asm_read_mbarriers(rounds, turn, out);
	}
	tell_barriers(rounds, turn, out);
	if (out->way != ASM_WAY_NONE)
		out->copies = asm_per_round(
			out->way == ASM_WAY_REGISTERS ? rounds->tile_stores : rounds->kinds[kind_of_way(out->way)],
			turn);
}

/* ---- a kernel ---- */

static void tell_place(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	out->first = rounds->graph->loops[rounds->loop].header;
	for (size_t i = 0; i < rounds->graph->n; i++)
		if (rounds->graph->loop_of[i] != ASM_NO_LOOP && rounds->within[rounds->graph->loop_of[i]])
			out->last = i;
}

/* Rounds without a loop: as many as stores with barriers between, or waits. */
static size_t straight_rounds(const struct asm_rounds *rounds)
{
	if (rounds->kinds[ASM_LDGSTS] > 0)
		return rounds->kinds[ASM_WAIT];
	return asm_store_phases(rounds);
}

static void read_straight(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	size_t n = straight_rounds(rounds);

	if (n >= UNROLLED_LEAST) {
		out->shape = ASM_SHAPE_UNROLLED;
		out->shape_how = ASM_INFERRED;
		read_round(rounds, out);
		return;
	}
	tell_way(rounds, out);
	tell_bytes(rounds, out);
	if (n <= 1)
		out->shape_how = ASM_SEEN;
}

static bool is_straight(const struct asm_tally *all, int loop)
{
	return loop == ASM_NO_LOOP || (asm_copies_of(all) > 0 && asm_reads_of(all) > 0);
}

void asm_read(const struct asm_instruction *list, size_t n, struct asm_kernel *out)
{
	struct asm_graph graph;
	struct asm_flow flow;
	struct asm_tally *tallies;
	struct asm_rounds rounds;
	bool is_left = false;
	int loop;

	*out = (struct asm_kernel){0};
	asm_graph_make(list, n, &graph);
	asm_flow_make(&graph, &flow);
	tallies = asm_tally_loops(&graph, &flow);
	loop = asm_choose_loop(&graph, tallies);
	if (loop != ASM_NO_LOOP && !tallies[loop].is_round && is_straight(&tallies[graph.nloops], loop)) {
		is_left = tallies[loop].bytes_moved > 0;
		loop = ASM_NO_LOOP;
	}
	asm_rounds_make(&graph, &flow, tallies, loop, &rounds);
	if (loop == ASM_NO_LOOP) {
		read_straight(&rounds, out);
		/* A loop loads beside the tiles of straight code: where the time is, is not known. */
		if (is_left && out->shape_how == ASM_SEEN)
			out->shape_how = ASM_UNKNOWN;
	} else {
		out->shape = ASM_SHAPE_ROUNDS;
		out->shape_how = graph.loops[loop].is_irreducible ? ASM_INFERRED : ASM_SEEN;
		tell_place(&rounds, out);
		read_round(&rounds, out);
	}
	asm_rounds_free(&rounds);
	free(tallies);
	asm_flow_free(&flow);
	asm_graph_free(&graph);
}
