/* form.c: see form.h. */
#include "analyze/advise/form.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- instructions ---- */

/* An instruction's name, which may stand behind a predicate; "" without a text. */
static const char *name_of(const struct asm_instruction *instruction)
{
	const char *text = instruction->text ? instruction->text : "";

	if (text[0] != '@')
		return text;
	text += strcspn(text, " ");
	return text + strspn(text, " ");
}

static bool is_named(const struct asm_instruction *instruction, const char *begin)
{
	return strncmp(name_of(instruction), begin, strlen(begin)) == 0;
}

static bool has_modifier(const char *name, const char *modifier)
{
	const char *at = strstr(name, modifier);

	return at && at < name + strcspn(name, " ");
}

/* Bytes that an instruction moves for a thread. */
static int width_of(const struct asm_instruction *instruction)
{
	const char *name = name_of(instruction);

	if (has_modifier(name, ".128"))
		return 16;
	if (has_modifier(name, ".64"))
		return 8;
	if (has_modifier(name, ".U16") || has_modifier(name, ".S16"))
		return 2;
	return has_modifier(name, ".U8") || has_modifier(name, ".S8") ? 1 : 4;
}

/* Where a jump back leads to, not before `first`; SIZE_MAX: it is none. */
static size_t jump_target(const struct advise_kernel *kernel, size_t first, size_t place)
{
	const char *name =
		is_named(&kernel->instructions[place], "BRA") ? strstr(kernel->instructions[place].text, "`(") : NULL;

	for (size_t i = first; name && i <= place; i++) {
		const char *label = kernel->instructions[i].label;

		if (label && strncmp(name + 2, label, strlen(label)) == 0 && name[2 + strlen(label)] == ')')
			return i;
	}
	return SIZE_MAX;
}

/* ---- the loop ---- */

/* A product of a round is several instructions, of which the last one ends a group. */
static void look_at_order(const struct advise_kernel *kernel, struct advise_form *out)
{
	size_t products = 0;

	for (size_t i = out->first; i <= out->last; i++) {
		const struct asm_instruction *each = &kernel->instructions[i];
		size_t target = jump_target(kernel, out->first, i);

		if (is_named(each, "HGMMA") || is_named(each, "IGMMA") || is_named(each, "QGMMA")) {
			out->has_wgmma = true;
			products += strstr(each->text, "gsb0") != NULL;
		}
		out->has_inner |= target != SIZE_MAX && target > out->first && i < out->last;
	}
	out->goes_on = out->has_wgmma && products <= 1;
}

/* Of tiles ahead those that no wait lets under way are asked for behind it, while the round computes. Other loops ask
 * at the end of a round, before the next wait. */
static bool asks_late(const struct advise_kernel *kernel, const struct advise_form *form)
{
	const struct asm_kernel *code = kernel->code;

	if (form->is_async && code->ahead.how != ASM_UNKNOWN && code->depth.how != ASM_UNKNOWN &&
		code->groups.value > 0)
		return code->ahead.value > code->depth.value / code->groups.value;
	return kernel->is_triton && form->goes_on;
}

/* ---- where rounds are ---- */

static void add_span(struct advise_form *out, size_t first, size_t end)
{
	if (out->nspans < ADVISE_SPANS_MOST)
		out->spans[out->nspans++] = (struct advise_span){first, end};
}

/* Rounds that unrolling left over wait for their tiles behind the loop. */
static size_t end_of_tiles(const struct advise_kernel *kernel, const struct advise_form *form)
{
	size_t end = form->last + 1;

	for (size_t i = end; kernel->code->way == ASM_WAY_LDGSTS && i < kernel->ninstructions; i++)
		if (is_named(&kernel->instructions[i], "DEPBAR.LE"))
			end = i + 1;
	return end;
}

static bool has_loads(const struct advise_kernel *kernel, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (is_named(&kernel->instructions[i], "LDG"))
			return true;
	return false;
}

static void find_rounds(const struct advise_kernel *kernel, struct advise_form *out)
{
	add_span(out, out->first, end_of_tiles(kernel, out));
	for (size_t i = 0; kernel->is_triton && i < kernel->ninstructions; i++) {
		size_t target = jump_target(kernel, 0, i);

		if (target < i && has_loads(kernel, target, i))
			add_span(out, target, i + 1);
	}
}

bool advise_is_round(const struct advise_kernel *kernel, const struct advise_form *form, size_t instruction)
{
	for (size_t i = 0; i < form->nspans; i++)
		if (instruction >= form->spans[i].first && instruction < form->spans[i].end)
			return instruction < kernel->ninstructions;
	return false;
}

static void look_at_loads(const struct advise_kernel *kernel, double turns, struct advise_form *out)
{
	int widest = 0, width;

	for (size_t i = out->first; i <= out->last; i++) {
		if (!is_named(&kernel->instructions[i], "LDG."))
			continue;
		width = width_of(&kernel->instructions[i]);
		out->load_bytes += width / turns;
		out->loads += 1 / turns;
		widest = width > widest ? width : widest;
	}
	for (size_t i = out->first; out->is_plain && i <= out->last; i++)
		if (is_named(&kernel->instructions[i], "LDG.") && width_of(&kernel->instructions[i]) < widest)
			out->spread += (double)widest / width_of(&kernel->instructions[i]) / turns;
	for (size_t i = out->first; i <= out->last; i++) {
		if (kernel->code->way != ASM_WAY_REGISTERS || !is_named(&kernel->instructions[i], "STS"))
			continue;
		width = width_of(&kernel->instructions[i]);
		if (width < widest)
			out->narrow += 1 / turns;
		else
			out->wide_bytes += width / turns;
	}
}

static size_t loads_between(const struct advise_kernel *kernel, size_t first, size_t end)
{
	size_t loads = 0;

	for (size_t i = first; i < end; i++)
		loads += is_named(&kernel->instructions[i], "LDG.");
	return loads;
}

/* Rounds in a turn without waits or stores that would tell. A turn of U rounds is followed by U - 1 others for what is
 * left, in steps of a half, a quarter ... of it. */
static double unrolled_loads(const struct advise_kernel *kernel, const struct advise_form *form)
{
	enum { UNROLLED_MOST = 8 };
	const double turn = (double)loads_between(kernel, form->first, form->last + 1);
	size_t end = form->last + 1;
	double rest;

	while (end < kernel->ninstructions && jump_target(kernel, form->last + 1, end) == SIZE_MAX)
		end++;
	rest = turn - (double)loads_between(kernel, form->last + 1, end);
	return rest > 0 && turn / rest <= UNROLLED_MOST && fmod(turn, rest) == 0 ? turn / rest : 1;
}

static double sum_of_counts(const struct asm_counts *counts)
{
	return counts->loads + counts->stores + counts->copies + counts->shared_loads + counts->shared_stores +
	       counts->fma + counts->mma + counts->others;
}

/* ---- stages ---- */

/* Groups that the most careful wait of the loop lets under way, divided by those that a turn ends. What is asked for
 * behind the wait is one more while products of warp groups go on. Of waits that a switch chooses from the most careful
 * one tells nothing. */
static double guess_ahead(const struct advise_kernel *kernel, const struct advise_form *form)
{
	long least = LONG_MAX, groups = 0;
	double ahead;

	for (size_t i = form->first; i <= form->last; i++) {
		const struct asm_instruction *each = &kernel->instructions[i];
		const char *number = is_named(each, "DEPBAR.LE") ? strchr(each->text, ',') : NULL;
		const long n = number ? strtol(number + 1, NULL, 0) : LONG_MAX;

		least = n < least ? n : least;
		groups += is_named(each, "LDGDEPBAR");
	}
	if (least == LONG_MAX || groups == 0 || kernel->code->waits_vary)
		return NAN;
	ahead = floor((double)least / (double)groups);
	return form->goes_on && ahead > 0 ? ahead + 1 : ahead;
}

/* Waits for tiles in a turn that are one round all the same: Triton unrolls no loop with asynchronous copies, but waits
 * for each operand of its own. */
static double waits_of_round(const struct advise_kernel *kernel, const struct advise_form *form)
{
	const struct asm_fact *unrolled = &kernel->code->unrolled;

	return form->is_async && kernel->is_triton && unrolled->how != ASM_UNKNOWN && unrolled->value > 1
		       ? (double)unrolled->value
		       : 1;
}

/* Of a loop that waits for its loads in the same round, and of one whose compiler moved some of them, nothing is under
 * way that would matter. */
static void look_at_ahead(const struct advise_kernel *kernel, struct advise_form *out)
{
	const struct asm_kernel *code = kernel->code;

	out->ahead = 0;
	if (code->ahead.how != ASM_UNKNOWN) {
		out->ahead = floor((double)code->ahead.value / waits_of_round(kernel, out));
	} else if (out->is_async) {
		out->ahead = guess_ahead(kernel, out);
		out->is_guessed = true;
	}
	out->batch = out->is_plain && !out->is_unrolled && out->ahead == 0 ? unrolled_loads(kernel, out) : 1;
	out->load_bytes /= out->batch;
	out->loads /= out->batch;
	out->spread /= out->batch;
}

/* What Triton asks for before the first round is one tile less than it has stages. That tells where a tile is asked for
 * while products of warp groups go on, or not, as operands are in use; elsewhere tiles ahead do. What the compiler
 * loads ahead of itself is no stage of Triton's. */
static int stages_as_run(const struct advise_kernel *kernel, const struct advise_form *form)
{
	if (isnan(form->ahead))
		return 0;
	if (!kernel->is_triton)
		return (int)form->ahead + 1;
	if (!form->is_async)
		return 1;
	if (form->has_wgmma && kernel->code->prologue.how != ASM_UNKNOWN && kernel->code->prologue.value > 0)
		return (int)floor((double)kernel->code->prologue.value / waits_of_round(kernel, form)) + 1;
	if (form->ahead == 0)
		return 2;
	return (int)form->ahead + (form->goes_on ? 1 : 2);
}

/* Tiles in the ring. */
static double ring_of(const struct advise_kernel *kernel, const struct advise_form *form, int stages)
{
	return kernel->is_triton && stages > 1 && !form->has_wgmma ? stages - 1 : stages;
}

/* What comes in a round to registers: of a turn that is several rounds with the same buffer, a part of the turn.
 */
static double loaded_tile(const struct advise_kernel *kernel, const struct advise_form *form, double turns)
{
	const double turn = form->load_bytes * turns * kernel->block.threads;

	return turns > 1 && turn > (double)kernel->block.shared_bytes ? turn / turns : turn;
}

/* What the copies of a round bring, unless they stand in loops of their own or in several sizes; else a part of the
 * ring. */
static double bytes_of_tile(const struct advise_kernel *kernel, const struct advise_form *form, double turns)
{
	const struct asm_kernel *code = kernel->code;
	const double ring =
		form->stages > 0 ? (double)kernel->block.shared_bytes / ring_of(kernel, form, form->stages) : NAN;
	const double copied = (double)code->copies.value * (double)code->bytes.value * waits_of_round(kernel, form) *
			      kernel->block.threads;

	if (!form->is_async && form->load_bytes > 0 && !form->has_inner)
		return loaded_tile(kernel, form, turns);
	if (code->way == ASM_WAY_LDGSTS && copied > 0 && copied <= ring && !form->has_inner)
		return copied;
	return ring > 0 ? ring : NAN;
}

void advise_form_of(const struct advise_kernel *kernel, struct advise_form *out)
{
	const struct asm_kernel *code = kernel->code;
	double turns;

	*out = (struct advise_form){.tile_bytes = NAN, .instructions = NAN, .ahead = NAN};
	if (code->shape == ASM_SHAPE_NONE || code->last >= kernel->ninstructions)
		return;
	out->is_unrolled = code->shape == ASM_SHAPE_UNROLLED;
	out->first = out->is_unrolled ? 0 : code->first;
	out->last = out->is_unrolled ? kernel->ninstructions - 1 : code->last;
	turns = code->unrolled.how != ASM_UNKNOWN && code->unrolled.value > 0 ? (double)code->unrolled.value : 1;
	out->has_loop = true;
	out->is_plain = code->way == ASM_WAY_NONE;
	out->is_async = code->way >= ASM_WAY_LDGSTS;
	out->instructions = sum_of_counts(&code->counts) * waits_of_round(kernel, out);
	out->outside = (double)kernel->ninstructions - (double)(out->last - out->first + 1);
	look_at_order(kernel, out);
	find_rounds(kernel, out);
	look_at_loads(kernel, turns, out);
	look_at_ahead(kernel, out);
	out->is_late = asks_late(kernel, out);
	out->stages = stages_as_run(kernel, out);
	out->tile_bytes = bytes_of_tile(kernel, out, turns);
}

double advise_ahead(const struct advise_kernel *kernel, const struct advise_form *form, int stages)
{
	if (stages == form->stages)
		return form->ahead;
	if (!kernel->is_triton)
		return stages - 1;
	if (stages <= 2)
		return 0;
	if (form->is_async && form->ahead > 0)
		return fmax(form->ahead + (stages - form->stages), 0);
	return form->goes_on ? stages - 1 : stages - 2;
}

double advise_shared(const struct advise_kernel *kernel, const struct advise_form *form, int stages)
{
	const double now = (double)kernel->block.shared_bytes;

	if (stages == form->stages)
		return now;
	if (kernel->is_triton && !form->is_async)
		return fmax(now, ring_of(kernel, form, stages) * form->tile_bytes);
	if (kernel->is_triton)
		return fmax(now - ring_of(kernel, form, form->stages) * form->tile_bytes, 0) +
		       ring_of(kernel, form, stages) * form->tile_bytes;
	return now + (stages - form->stages) * form->tile_bytes;
}
