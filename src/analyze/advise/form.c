/* form.c: see form.h. */
#include "analyze/advise/form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- instructions ---- */

/* Whether an instruction's name begins so; it may stand behind a predicate. */
static bool is_named(const struct asm_instruction *instruction, const char *name)
{
	const char *text = instruction->text;

	if (!text)
		return false;
	if (text[0] == '@') {
		text = strchr(text, ' ');
		text = text ? text + 1 : "";
	}
	return strncmp(text, name, strlen(name)) == 0;
}

/* Bytes that an instruction moves for a thread. */
static int width_of(const struct asm_instruction *instruction)
{
	if (strstr(instruction->text, ".128"))
		return 16;
	return strstr(instruction->text, ".64") ? 8 : 4;
}

/* Where a jump back to a place in the loop leads to; SIZE_MAX: it is none. */
static size_t jump_target(const struct advise_kernel *kernel, size_t place)
{
	const char *name =
		is_named(&kernel->instructions[place], "BRA") ? strstr(kernel->instructions[place].text, "`(") : NULL;

	for (size_t i = kernel->code->first; name && i <= place; i++) {
		const char *label = kernel->instructions[i].label;

		if (label && strncmp(name + 2, label, strlen(label)) == 0 && name[2 + strlen(label)] == ')')
			return i;
	}
	return SIZE_MAX;
}

/* ---- the loop ---- */

static void look_at_order(const struct advise_kernel *kernel, struct advise_form *out)
{
	size_t copy = SIZE_MAX, wait = SIZE_MAX;

	for (size_t i = kernel->code->first; i < out->end; i++) {
		const struct asm_instruction *each = &kernel->instructions[i];
		size_t target = jump_target(kernel, i);

		out->has_wgmma |= is_named(each, "HGMMA") || is_named(each, "IGMMA") || is_named(each, "QGMMA");
		out->has_inner |= target != SIZE_MAX && target > kernel->code->first && i < kernel->code->last;
		if (copy == SIZE_MAX && is_named(each, "LDGSTS"))
			copy = i;
		if (wait == SIZE_MAX && is_named(each, "DEPBAR.LE"))
			wait = i;
	}
	out->is_late = out->is_async ? copy != SIZE_MAX && wait != SIZE_MAX && wait < copy : kernel->is_triton;
}

/* Rounds that unrolling left over wait for their tiles behind the loop. */
static size_t end_of_tiles(const struct advise_kernel *kernel)
{
	size_t end = kernel->code->last + 1;

	for (size_t i = end; kernel->code->way == ASM_WAY_LDGSTS && i < kernel->ninstructions; i++)
		if (is_named(&kernel->instructions[i], "DEPBAR.LE") || is_named(&kernel->instructions[i], "BAR"))
			end = i + 1;
	return end < kernel->ninstructions ? end : kernel->ninstructions;
}

static void look_at_loads(const struct advise_kernel *kernel, double turns, struct advise_form *out)
{
	int widest = 0, width;

	for (size_t i = kernel->code->first; i <= kernel->code->last; i++) {
		if (!is_named(&kernel->instructions[i], "LDG."))
			continue;
		width = width_of(&kernel->instructions[i]);
		out->load_bytes += width / turns;
		widest = width > widest ? width : widest;
	}
	for (size_t i = kernel->code->first; i <= kernel->code->last; i++) {
		if (kernel->code->way != ASM_WAY_REGISTERS || !is_named(&kernel->instructions[i], "STS"))
			continue;
		width = width_of(&kernel->instructions[i]);
		if (width < widest)
			out->narrow += 1 / turns;
		else
			out->wide_bytes += width / turns;
	}
}

static double sum_of_counts(const struct asm_counts *counts)
{
	return counts->loads + counts->stores + counts->copies + counts->shared_loads + counts->shared_stores +
	       counts->fma + counts->mma + counts->others;
}

/* ---- stages ---- */

/* Of a loop that waits for its loads in the same round, and of one whose compiler moved some of them, nothing is under
 * way that would matter. */
static double tiles_ahead(const struct advise_kernel *kernel, const struct advise_form *form)
{
	if (kernel->code->ahead.how != ASM_UNKNOWN)
		return (double)kernel->code->ahead.value;
	return form->is_async ? NAN : 0;
}

static int stages_as_run(const struct advise_kernel *kernel, const struct advise_form *form)
{
	if (isnan(form->ahead))
		return 0;
	if (!form->is_async || !kernel->is_triton)
		return (int)form->ahead + 1;
	if (form->ahead == 0)
		return 2;
	return (int)form->ahead + (form->has_wgmma ? 1 : 2);
}

/* Tiles in the ring. */
static double ring_of(const struct advise_kernel *kernel, const struct advise_form *form, int stages)
{
	return kernel->is_triton && stages > 1 && !form->has_wgmma ? stages - 1 : stages;
}

/* What the copies of a round bring, unless they stand in loops of their own or in several sizes; else a part of the
 * ring. */
static double bytes_of_tile(const struct advise_kernel *kernel, const struct advise_form *form)
{
	const struct asm_kernel *code = kernel->code;
	const double ring =
		form->stages > 0 ? (double)kernel->block.shared_bytes / ring_of(kernel, form, form->stages) : NAN;
	double each = form->is_async ? (double)code->copies.value * (double)code->bytes.value : form->load_bytes;

	if (form->is_async && code->way != ASM_WAY_LDGSTS)
		each = 0;
	if (each > 0 && !form->has_inner && (!form->is_async || each * kernel->block.threads <= ring))
		return each * kernel->block.threads;
	return ring > 0 ? ring : NAN;
}

void advise_form_of(const struct advise_kernel *kernel, struct advise_form *out)
{
	const struct asm_kernel *code = kernel->code;
	double turns;

	*out = (struct advise_form){.tile_bytes = NAN, .instructions = NAN, .ahead = NAN};
	if (code->shape != ASM_SHAPE_ROUNDS || code->last >= kernel->ninstructions)
		return;
	turns = code->unrolled.how != ASM_UNKNOWN && code->unrolled.value > 0 ? (double)code->unrolled.value : 1;
	out->has_loop = true;
	out->is_async = code->way >= ASM_WAY_LDGSTS;
	out->instructions = sum_of_counts(&code->counts);
	out->outside = (double)kernel->ninstructions - (double)(code->last - code->first + 1);
	out->end = end_of_tiles(kernel);
	look_at_order(kernel, out);
	look_at_loads(kernel, turns, out);
	out->ahead = tiles_ahead(kernel, out);
	out->stages = stages_as_run(kernel, out);
	out->tile_bytes = bytes_of_tile(kernel, out);
}

double advise_ahead(const struct advise_kernel *kernel, const struct advise_form *form, int stages)
{
	if (stages == form->stages)
		return form->ahead;
	if (!kernel->is_triton)
		return stages - 1;
	if (stages <= 2)
		return 0;
	return form->has_wgmma ? stages - 1 : stages - 2;
}

double advise_shared(const struct advise_kernel *kernel, const struct advise_form *form, int stages)
{
	const double now = (double)kernel->block.shared_bytes;

	if (stages == form->stages)
		return now;
	if (kernel->is_triton)
		return fmax(form->is_async ? 0 : now, ring_of(kernel, form, stages) * form->tile_bytes);
	return now + (stages - form->stages) * form->tile_bytes;
}
