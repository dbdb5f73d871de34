/* mbarriers.c: tiles under way whose arrival mbarriers tell: see rounds.h. */
#include "analyze/asm/rounds.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A loop that begins more rounds before its first tile is no loop over tiles. */
enum { ROUNDS_BEFORE_MOST = 32 };

/* ---- loops that begin before their first tile ---- */

/* The number at the begin of an operand, where it is between -ROUNDS_BEFORE_MOST and ROUNDS_BEFORE_MOST; else 0. */
static int small_number(const char *operand)
{
	char *end;
	long long value = strtoll(operand, &end, 0);

	if (end == operand || isalnum((unsigned char)*end) || *end == '.')
		return 0;
	if (value > INT32_MAX)
		value -= INT64_C(1) << 32;
	return value >= -ROUNDS_BEFORE_MOST && value <= ROUNDS_BEFORE_MOST ? (int)value : 0;
}

static const char *last_operand(const char *operands)
{
	const char *comma = strrchr(operands, ',');

	return comma ? comma + 1 + strspn(comma + 1, " ") : "";
}

/* Registers that begin the loop with -k: their k. */
static void find_begins(const struct asm_rounds *rounds, int begins[2][ASM_REGISTERS])
{
	const struct asm_graph *graph = rounds->graph;

	memset(begins, 0, 2 * sizeof(*begins));
	for (size_t i = 0; i < graph->loops[rounds->loop].header; i++) {
		const struct asm_op *op = &graph->ops[i];
		bool is_move = op->kind == ASM_MOVE || strncmp(op->name, "UMOV", 4) == 0;
		int file, number = asm_register_at(op->operands, &file);

		if (number < 0)
			continue;
		begins[file][number] = is_move ? -small_number(last_operand(op->operands)) : 0;
	}
}

/* k, where the instruction adds k to a register that began with -k; else 0. */
static int looks_ahead(const struct asm_op *op, int begins[2][ASM_REGISTERS])
{
	const char *at = op->operands;
	int file = 0, number = -1, added = 0;

	if (strncmp(op->name, "IADD3", 5) != 0 && strncmp(op->name, "VIADD", 5) != 0 &&
		strncmp(op->name, "UIADD3", 6) != 0)
		return 0;
	while ((at = strchr(at, ','))) {
		int this_file, this_number;

		at += 1 + strspn(at + 1, " ");
		this_number = asm_register_at(at, &this_file);
		if (this_number >= 0) {
			file = number < 0 ? this_file : file;
			number = number < 0 ? this_number : ASM_REGISTERS;
		} else if (small_number(at) != 0) {
			added = small_number(at);
		}
		if (number >= 0 && number < ASM_REGISTERS && added > 0 && begins[file][number] == added)
			return added;
	}
	return 0;
}

/* Tiles that a loop asks for ahead, since it begins so many rounds before its first tile; 0: nothing says so. */
static int rounds_before_first(const struct asm_rounds *rounds)
{
	int begins[2][ASM_REGISTERS], common = 0;

	find_begins(rounds, begins);
	for (size_t i = 0; i < rounds->graph->n; i++) {
		int ahead = rounds->graph->loop_of[i] == rounds->loop ? looks_ahead(&rounds->graph->ops[i], begins) : 0;

		if (ahead > 0 && common > 0 && ahead != common)
			return 0;
		common = ahead > 0 ? ahead : common;
	}
	return common;
}

/* ---- what stands around the loop ---- */

static enum asm_kind kind_of_copies(const struct asm_kernel *kernel)
{
	return kernel->way == ASM_WAY_LDGSTS ? ASM_LDGSTS : kernel->way == ASM_WAY_UBLKCP ? ASM_UBLKCP : ASM_UTMALDG;
}

/* mbarriers that are made before the loop; 0: nobody knows. */
static size_t mbarriers_made(const struct asm_rounds *rounds)
{
	size_t made;

	return asm_count_before(rounds, ASM_INIT, &made) ? made : 0;
}

/* The place of the first wait, a loop or a try. */
static size_t first_check(const struct asm_rounds *rounds)
{
	for (size_t i = 0; i < rounds->n; i++)
		if (rounds->events[i].kind == ASM_CHECK && !rounds->events[i].is_poll)
			return rounds->events[i].place;
	for (size_t i = 0; i < rounds->n; i++)
		if (rounds->events[i].is_poll)
			return rounds->events[i].place;
	return 0;
}

/* Whether all copies of a round stand before its last read (1), or behind it (0); -1: neither. */
static int copies_before_reads(const struct asm_rounds *rounds, enum asm_kind kind)
{
	size_t last = 0, before = 0, behind = 0;

	for (size_t i = 0; i < rounds->n; i++)
		if (asm_is_read(&rounds->events[i]))
			last = i;
	for (size_t i = 0; i < rounds->n; i++)
		if (rounds->events[i].kind == kind)
			*(i < last ? &before : &behind) += 1;
	return before > 0 && behind > 0 ? -1 : before > 0;
}

/* ---- the size of a ring ---- */

/* What stands for a division by 3, 5, 6 or 7. */
static bool divides_by(const char *operands, size_t ring)
{
	static const struct {
		size_t by;
		const char *number;
	} inverses[] = {{3, "0x55555555"}, {3, "0x55555556"}, {3, "0xaaaaaaab"}, {5, "0x33333333"}, {5, "0x66666667"},
		{5, "0xcccccccd"}, {6, "0x55555555"}, {6, "0x2aaaaaab"}, {6, "0xaaaaaaab"}, {7, "0x24924925"},
		{7, "0x92492493"}, {7, "0x6db6db6d"}};

	for (size_t i = 0; i < sizeof(inverses) / sizeof(*inverses); i++)
		if (inverses[i].by == ring && strstr(operands, inverses[i].number))
			return true;
	return false;
}

static bool has_number(const char *operands, size_t number)
{
	for (const char *at = operands; (at = strstr(at, "0x")); at += 2)
		if (strtoull(at, NULL, 16) == number)
			return true;
	return false;
}

/* Whether the loop counts to `ring` and begins again: a comparison, a mask of a number or of an offset among mbarriers,
 * or a division. */
static bool counts_in_ring(const struct asm_rounds *rounds, size_t ring)
{
	enum { MBARRIER_BYTES = 8 };
	const struct asm_graph *graph = rounds->graph;

	for (size_t i = 0; i < graph->n; i++) {
		const char *name = graph->ops[i].name, *operands = graph->ops[i].operands;

		if (graph->loop_of[i] != rounds->loop)
			continue;
		if (divides_by(operands, ring) ||
			(strncmp(name + (*name == 'U'), "ISETP", 5) == 0 && has_number(operands, ring)))
			return true;
		if (strncmp(name + (*name == 'U'), "LOP3", 4) == 0 && (ring & (ring - 1)) == 0 &&
			(has_number(operands, ring - 1) || has_number(operands, (ring - 1) * MBARRIER_BYTES)))
			return true;
	}
	return false;
}

/* ---- the three forms ---- */

static void set_ahead(struct asm_kernel *out, int64_t ahead, enum asm_how how)
{
	out->ahead = (struct asm_fact){ahead, how};
	out->buffers = (struct asm_fact){ahead + 1, how};
}

/* Its first rounds only ask. */
static void read_early_loop(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	size_t made = mbarriers_made(rounds);
	int ahead = rounds_before_first(rounds);

	/* One instruction makes all where each thread makes one. */
	if (ahead > 0 && (made <= 1 || made == (size_t)ahead + 1))
		set_ahead(out, ahead, ASM_INFERRED);
}

/* Some warps copy: a ring with an mbarrier for each full and each empty buffer. */
static void read_copying_warps(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	size_t made = mbarriers_made(rounds), before;

	out->is_specialised = true;
	if (made < 2 || made % 2 != 0 || !asm_count_before(rounds, kind_of_copies(out), &before) || before > 0)
		return;
	if (made == 2 || counts_in_ring(rounds, made / 2))
		set_ahead(out, (int64_t)made / 2 - 1, ASM_INFERRED);
}

static void read_filled_loop(const struct asm_rounds *rounds, size_t copies, struct asm_kernel *out)
{
	int asks = copies_before_reads(rounds, kind_of_copies(out));
	size_t before, made = mbarriers_made(rounds);
	int64_t ahead;

	if (asks < 0 || !asm_count_before(rounds, kind_of_copies(out), &before) || before % copies != 0)
		return;
	ahead = (int64_t)(before / copies) + asks - 1;
	out->prologue = (struct asm_fact){(int64_t)(before / copies), ASM_SEEN};
	if (ahead < 0 || (before == 0 && rounds_before_first(rounds) > 0))
		return;
	if (made == 0)
		set_ahead(out, ahead, ASM_INFERRED);
	else if (made == (size_t)ahead + 1 || made == 2 * ((size_t)ahead + 1))
		set_ahead(out, ahead, ASM_SEEN);
}

void asm_read_mbarriers(const struct asm_rounds *rounds, size_t rounds_in_turn, struct asm_kernel *out)
{
	size_t copies = rounds->kinds[kind_of_copies(out)];

	if (rounds_in_turn != 1 || rounds->loop == ASM_NO_LOOP)
		return;
	if (rounds->kinds[ASM_SHARED_LOAD] + rounds->kinds[ASM_MMA_SHARED] == 0)
		read_copying_warps(rounds, out);
	else if (asm_is_skipped(rounds, first_check(rounds)))
		read_early_loop(rounds, out);
	else
		read_filled_loop(rounds, copies, out);
}
