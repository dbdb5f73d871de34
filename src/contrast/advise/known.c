/* known.c: see known.h. */
#include "contrast/advise/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/formula.h"

/* ---- code ---- */

static const struct coded_kernel *coded_at(const struct coded_kernels *coded, size_t place)
{
	for (size_t i = 0; coded->nsides > 0 && i < coded->sides[0].n; i++)
		if (coded->sides[0].kernels[i].place == place && coded->sides[0].kernels[i].listing.n > 0)
			return &coded->sides[0].kernels[i];
	return NULL;
}

/* None of a kernel that was cut: a loop may lie in what is missing. */
static void gather_code(const struct contrast_found *found, size_t place, struct known_kernel *out)
{
	const struct listing *listing;

	out->coded = coded_at(&found->coded, place);
	if (!out->coded || out->coded->listing.is_cut)
		return;
	listing = &out->coded->listing;
	out->instructions = xcalloc(listing->n + 1, sizeof(*out->instructions));
	out->ninstructions = listing->n;
	for (size_t i = 0; i < listing->n; i++)
		out->instructions[i] = (struct asm_instruction){
			.offset = listing->list[i].offset,
			.text = listing->list[i].text,
			.label = listing->list[i].label,
		};
}

/* ---- samples ---- */

static const struct sampled_case *sampled_at(const struct sampled_kernels *sampled, size_t place)
{
	for (size_t i = 0; sampled->nsides > 0 && i < sampled->sides[0].n; i++)
		if (sampled->sides[0].cases[i].place == place)
			return &sampled->sides[0].cases[i];
	return NULL;
}

static int by_asm_place(const void *key, const void *item)
{
	uint64_t offset = *(const uint64_t *)key, at = ((const struct asm_instruction *)item)->offset;

	return (offset > at) - (offset < at);
}

/* Samples of another function, such as one that the kernel calls, lie at no instruction of it. */
static void gather_samples(const struct contrast_found *found, size_t place, struct known_kernel *out)
{
	const struct sampled_case *one = sampled_at(&found->sampled, place);

	if (!one || out->ninstructions == 0)
		return;
	out->samples = xcalloc(one->nstalls + 1, sizeof(*out->samples));
	for (size_t i = 0; i < one->nstalls; i++) {
		const struct sampled_stall *stall = &one->stalls[i];
		struct asm_instruction *at;

		if (strcmp(stall->symbol, out->coded->symbol) != 0)
			continue;
		at = bsearch(&stall->offset, out->instructions, out->ninstructions, sizeof(*at), by_asm_place);
		if (!at)
			continue;
		at->samples += stall->samples[0];
		out->samples[out->nsamples++] =
			(struct advise_sample){(size_t)(at - out->instructions), stall->reason, stall->samples[0]};
	}
}

/* ---- counters ---- */

static const struct counted_case *counted_at(const struct counted_kernels *counted, size_t place)
{
	for (size_t i = 0; counted->nsides > 0 && i < counted->sides[0].n; i++)
		if (counted->sides[0].cases[i].place == place && counted->sides[0].cases[i].list)
			return &counted->sides[0].cases[i];
	return NULL;
}

struct counted_lookup_of {
	const struct counted_kernels *counted;
	const struct counted_case *one;
};

/* For formula_evaluate(): a metric of the first group that has it. */
static double counted_metric(void *user, const char *name, size_t length)
{
	const struct counted_lookup_of *of = user;

	for (size_t g = 0; g < of->one->list->n; g++) {
		const struct count_group *group = &of->counted->metering.groups[of->one->list->groups[g]].group;

		for (size_t m = 0; of->one->groups[g].values && m < group->nmetrics; m++)
			if (strncmp(group->metrics[m], name, length) == 0 && group->metrics[m][length] == '\0')
				return of->one->groups[g].values[m];
	}
	return NAN;
}

/* Of two values with one name the chip has one. */
static void add_known_counter(struct known_kernel *out, const char *key, double value)
{
	size_t i = 0;

	while (i < out->ncounters && strcmp(out->counters[i].key, key) != 0)
		i++;
	if (i == out->ncounters)
		out->counters[out->ncounters++] = (struct advise_counter){key, value};
}

static void gather_counters(const struct contrast_found *found, size_t place, struct known_kernel *out)
{
	const struct metering *metering = &found->counted.metering;
	struct counted_lookup_of of = {&found->counted, counted_at(&found->counted, place)};
	size_t most = 0;

	for (int s = 0; s < metering->nsets; s++)
		most += (size_t)metering->sets[s].nvalues;
	out->counters = xcalloc(most + 1, sizeof(*out->counters));
	for (int s = 0; of.one && s < metering->nsets; s++)
		for (int v = 0; v < metering->sets[s].nvalues; v++) {
			const struct derived_metric *derived = &metering->sets[s].values[v];
			struct error unread = {0};
			double value;

			if (formula_evaluate(derived->formula, counted_metric, &of, &value, &unread) == 0 &&
				isfinite(value))
				add_known_counter(out, derived->key, value);
		}
}

/* ---- all of it ---- */

void known_gather(const struct contrast_found *found, size_t place, struct known_kernel *out)
{
	*out = (struct known_kernel){0};
	gather_code(found, place, out);
	gather_samples(found, place, out);
	gather_counters(found, place, out);
}

void known_release(struct known_kernel *known)
{
	free(known->instructions);
	free(known->samples);
	free(known->counters);
	*known = (struct known_kernel){0};
}

/* ---- where ---- */

static bool ends_in_py(const char *path)
{
	size_t length = strlen(path);

	return length > 3 && strcmp(path + length - 3, ".py") == 0;
}

bool known_is_triton(const struct known_kernel *known)
{
	size_t python = 0, all = 0;

	for (size_t i = 0; known->coded && i < known->coded->listing.n; i++) {
		const char *file = known->coded->listing.list[i].file;

		all += file != NULL;
		python += file && ends_in_py(file);
	}
	return 2 * python > all;
}

/* The instruction without its predicate. */
static const char *operation_of(const char *text)
{
	const char *space = *text == '@' ? strchr(text, ' ') : NULL;

	return space ? space + 1 : text;
}

/* What brings tiles in such a way; loads where none come to shared memory. */
static const char *operation_of_way(enum asm_way way)
{
	static const char *const operations[ASM_WAYS] = {[ASM_WAY_NONE] = "LDG",
		[ASM_WAY_REGISTERS] = "LDG",
		[ASM_WAY_LDGSTS] = "LDGSTS",
		[ASM_WAY_UBLKCP] = "UBLKCP",
		[ASM_WAY_UTMALDG] = "UTMALDG"};

	return operations[way];
}

static bool brings_tiles(const struct instruction *at, enum asm_way way)
{
	const char *operation = operation_of_way(way);
	size_t length = strlen(operation);
	const char *text = operation_of(at->text);

	return strncmp(text, operation, length) == 0 && (text[length] == '.' || text[length] == ' ');
}

bool known_copy_line(const struct known_kernel *known, const struct asm_kernel *code, const char **file, int64_t *line)
{
	bool is_loop = code->shape == ASM_SHAPE_ROUNDS && code->shape_how != ASM_UNKNOWN;
	size_t first = is_loop ? code->first : 0, last = is_loop ? code->last : known->ninstructions;

	for (size_t i = first; i <= last && i < known->ninstructions; i++) {
		const struct instruction *at = &known->coded->listing.list[i];

		if (!at->file || !brings_tiles(at, code->way))
			continue;
		*file = code_file_name(known->coded, at);
		*line = at->line;
		return *file != NULL;
	}
	return false;
}
