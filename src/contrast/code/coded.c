/* coded.c: see coded.h. The rows are in code-rows.c. */
#include "contrast/code/coded.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/thresholds.h"
#include "contrast/code/disassemble.h"
#include "contrast/count/choose.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/clock.h"

/* What is passed around while sides are run. */
struct coding {
	const struct contrast_options *options;
	const char *folder;
	struct measurement *measured;
	const struct contrast_samples *samples;
	struct coded_kernels *out;
	char *disassembler;
	size_t side;
	struct error *err;
};

static struct coded_side *side_now(const struct coding *c)
{
	return &c->out->sides[c->side];
}

/* The first reason is told. */
static void tell_no_code(const struct coding *c, const char *status, const char *what)
{
	c->out->status = status;
	if (c->out->reason.text[0] == '\0')
		error_set(&c->out->reason, "%s: %s", c->options->sides[c->side].name, what);
}

/* ---- which kernels ---- */

/* A name under which other code came says nothing of the code that ran. */
static bool has_code(const struct side_kernel *kernel)
{
	return kernel && kernel->codes == CODES_ONE && kernel->kernel.places.symbol && !kernel->kernel.is_graph;
}

static void fill_coded(struct coding *c, const size_t *chosen, size_t n)
{
	struct coded_side *side = side_now(c);

	side->kernels = xcalloc(n + 1, sizeof(*side->kernels));
	for (size_t i = 0; i < n; i++) {
		const struct side_kernel *kernel = c->samples->cases[chosen[i]].sides[c->side].kernel;

		if (has_code(kernel))
			side->kernels[side->n++] =
				(struct coded_kernel){.place = chosen[i], .symbol = kernel->kernel.places.symbol};
	}
}

/* Of a kernel with several forms the hash is a sum: its first form is taken by name. */
static int ask_for_code(const struct coding *c)
{
	const struct coded_side *side = side_now(c);
	struct wanted_kernel wanted[CHOSEN_KERNELS_MOST] = {{0}};

	_Static_assert((int)CHOSEN_KERNELS_MOST <= (int)WANTED_KERNELS, "each kernel can be asked for");
	for (size_t i = 0; i < side->n; i++) {
		const struct launch_kernel *kernel =
			&c->samples->cases[side->kernels[i].place].sides[c->side].kernel->kernel;

		wanted[i] = (struct wanted_kernel){kernel->places.symbol, kernel->forms == 1 ? kernel->code : 0};
	}
	return wanted_ask(c->folder, wanted, side->n, &c->out->reason);
}

/* ---- a run ---- */

/* 0; 1 if it failed; -1 if the person has interrupted. */
static int run_for_code(const struct coding *c)
{
	const struct contrast_command *command = &c->options->sides[c->side];
	const struct side side = {.argv = command->argv, .environment = command->environment};
	struct measured_run *run = measure_next_run(c->measured);
	char *errors = xasprintf("%s/code.err", c->folder), *recording = xasprintf("%s/code.sqlite", c->folder);
	const struct side_how how = {
		.kind = SIDE_CODE,
		.folder = c->folder,
		.recording = recording,
		.output = "/dev/null",
		.errors = errors,
		.timeout_ns = c->options->timeout_ns,
		.injection = c->options->injection,
		.interrupted = c->options->interrupted,
		.user = c->options->user,
	};
	char end[SIDE_END_BYTES];
	int code;

	run->side = c->side;
	run->kind = SIDE_CODE;
	run->block = run->position = -1;
	c->options->progress(c->options->user, c->measured->nruns - 1, 0, "machine code");
	code = side_run(&side, &how, &run->run, &c->out->reason) < 0;
	if (code != 0)
		c->out->status = "failed";
	if (code == 0 && !side_went_well(&run->run)) {
		side_tell_end(&run->run, &how, end);
		tell_no_code(c, "failed", end);
		code = 1;
	}
	unlink(recording);
	unlink(errors);
	free(recording);
	free(errors);
	return c->options->interrupted(c->options->user) ? error_set(c->err, "interrupted") : code;
}

/* ---- what it loaded ---- */

/* Whether a path is the end of another one: "lib/a.cuh" of "/home/lib/a.cuh". */
static bool is_end_of_path(const char *end, const char *path)
{
	size_t n, m = strlen(path);

	end += strncmp(end, "./", 2) == 0 ? 2 : 0;
	n = strlen(end);
	return n < m && path[m - n - 1] == '/' && strcmp(path + m - n, end) == 0;
}

/* The file as it was when the module was loaded; NULL if it was not kept. A disassembler may write less of a path than
 * the line table does, or more: then one is the end of the other, for one file alone. */
static const struct wanted_source *source_of_module(const struct wanted_module *module, const char *path)
{
	const struct wanted_source *named = NULL;
	size_t n = 0;

	for (size_t i = 0; i < module->nsources; i++) {
		if (strcmp(module->sources[i].path, path) == 0)
			return &module->sources[i];
		if (!is_end_of_path(path, module->sources[i].path) && !is_end_of_path(module->sources[i].path, path))
			continue;
		named = &module->sources[i];
		n++;
	}
	return n == 1 ? named : NULL;
}

static void take_sources_of(struct coding *c, struct coded_kernel *kernel, const struct wanted_module *module)
{
	kernel->names = xcalloc(kernel->listing.nfiles + 1, sizeof(*kernel->names));
	for (size_t f = 0; f < kernel->listing.nfiles; f++) {
		const char *path = kernel->listing.files[f];

		kernel->names[f] = sources_take(&c->out->sources, path, source_of_module(module, path));
	}
}

/* Disassembles a module for those of its kernels whose code is not known. */
static void take_module_file(void *user, const struct wanted_module *module)
{
	struct coding *c = user;
	struct coded_side *side = side_now(c);
	const struct disassembly how = {c->disassembler, c->folder, c->options->interrupted, c->options->user};
	const char *symbols[CHOSEN_KERNELS_MOST];
	struct listing found[CHOSEN_KERNELS_MOST] = {{0}};
	size_t places[CHOSEN_KERNELS_MOST], n = 0;
	struct error why = {0};

	for (size_t i = 0; i < side->n; i++)
		if ((module->kernels & UINT64_C(1) << i) != 0 && side->kernels[i].listing.n == 0) {
			symbols[n] = side->kernels[i].symbol;
			places[n++] = i;
		}
	if (n == 0 || c->options->interrupted(c->options->user))
		return;
	if (disassemble(&how, module->path, symbols, found, n, &why) < 0)
		tell_no_code(c, "failed", why.text);
	for (size_t i = 0; i < n; i++) {
		free(side->kernels[places[i]].names);
		side->kernels[places[i]].listing = found[i];
		take_sources_of(c, &side->kernels[places[i]], module);
	}
}

static void tell_missing_code(const struct coding *c)
{
	const struct coded_side *side = side_now(c);

	for (size_t i = 0; i < side->n && c->out->reason.text[0] == '\0'; i++)
		if (side->kernels[i].listing.n == 0)
			tell_no_code(
				c, "skipped", "no module with the code of its kernels was loaded, or it is too large");
}

static int code_side(struct coding *c)
{
	int code = side_now(c)->n > 0 ? 0 : 1;

	if (code != 0) {
		tell_no_code(c, "skipped", "the machine code of its kernels is not known");
		return 0;
	}
	if (ask_for_code(c) < 0) {
		c->out->status = "failed";
		return 0;
	}
	code = run_for_code(c);
	wanted_take(c->folder, take_module_file, c);
	if (code == 0)
		tell_missing_code(c);
	return code < 0 ? -1 : 0;
}

/* ---- all of it ---- */

static int choose_and_code(struct coding *c)
{
	size_t chosen[CHOSEN_KERNELS_MOST], n;

	c->out->status = "skipped";
	if (!measure_allows_more(c->measured, c->samples, &c->out->reason))
		return 0;
	n = count_choose(c->options, c->samples, chosen);
	if (n == 0)
		error_set(&c->out->reason, "%s", count_chose_nothing(c->options, c->samples));
	else
		c->disassembler = disassembler_find(&c->out->reason);
	if (!c->disassembler)
		return 0;
	c->out->status = "done";
	c->out->sides = xcalloc(c->samples->nsides, sizeof(*c->out->sides));
	c->out->nsides = c->samples->nsides;
	for (c->side = 0; c->side < c->out->nsides; c->side++) {
		fill_coded(c, chosen, n);
		if (code_side(c) < 0)
			return -1;
	}
	return 0;
}

int code_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, struct coded_kernels *out, struct error *err)
{
	struct coding c = {
		.options = options, .folder = folder, .measured = measured, .samples = samples, .out = out, .err = err};
	int code;

	*out = (struct coded_kernels){.start = clock_realtime()};
	if (!options->wants_code)
		return 0;
	code = choose_and_code(&c);
	free(c.disassembler);
	out->end = clock_realtime();
	return code;
}

/* ---- asking ---- */

static int by_instruction_offset(const void *key, const void *item)
{
	uint64_t offset = *(const uint64_t *)key, at = ((const struct instruction *)item)->offset;

	return (offset > at) - (offset < at);
}

const char *code_file_name(const struct coded_kernel *kernel, const struct instruction *instruction)
{
	for (size_t f = 0; f < kernel->listing.nfiles && instruction->file; f++)
		if (kernel->listing.files[f] == instruction->file)
			return kernel->names[f];
	return NULL;
}

static bool is_barrier_of_listing(const struct instruction *instruction)
{
	const char *text = instruction->text, *space = *text == '@' ? strchr(text, ' ') : NULL;

	return strncmp(space ? space + 1 : text, "BAR.", strlen("BAR.")) == 0;
}

/* The nearest barrier before an instruction; the instruction if there is none: as cubin_barrier_before(). */
static const struct instruction *barrier_before(const struct coded_kernel *kernel, const struct instruction *found)
{
	for (const struct instruction *at = found; at-- > kernel->listing.list;)
		if (is_barrier_of_listing(at))
			return at;
	return found;
}

bool code_line_at(const struct coded_kernels *coded, size_t side, const char *symbol, uint64_t offset, bool barrier,
	const char **file, int64_t *line)
{
	for (size_t i = 0; side < coded->nsides && i < coded->sides[side].n; i++) {
		const struct coded_kernel *kernel = &coded->sides[side].kernels[i];
		const struct instruction *found;

		if (strcmp(kernel->symbol, symbol) != 0 || kernel->listing.n == 0)
			continue;
		found = bsearch(
			&offset, kernel->listing.list, kernel->listing.n, sizeof(*found), by_instruction_offset);
		if (found && barrier)
			found = barrier_before(kernel, found);
		if (!found || !found->file)
			return false;
		*file = code_file_name(kernel, found);
		*line = found->line;
		return true;
	}
	return false;
}

void coded_free(struct coded_kernels *coded)
{
	for (size_t s = 0; s < coded->nsides; s++) {
		for (size_t i = 0; i < coded->sides[s].n; i++) {
			listing_free(&coded->sides[s].kernels[i].listing);
			free(coded->sides[s].kernels[i].names);
		}
		free(coded->sides[s].kernels);
	}
	free(coded->sides);
	sources_free(&coded->sources);
	*coded = (struct coded_kernels){0};
}
