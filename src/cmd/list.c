/* list.c: `dbprof list`: families and variants, and what cannot run here and why. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/cmd.h"
#include "record/record.h"
#ifdef HAVE_CUDA
#include "variant.h"
#endif

struct list_state {
	bool verbose;
};

static const struct cmd_option options[] = {
	{'v', "verbose", NULL, "also show questions, sizes, parameters, sweeps and hazards"},
	LOAD_OPTION,
	{0, NULL, NULL, NULL},
};

static bool cmd_list_option(void *state, int key, const char *value)
{
	struct list_state *list = state;

	if (key == OPTION_LOAD)
		return cmd_load(value);
	if (key == 'v')
		list->verbose = true;
	return true;
}

#ifdef HAVE_CUDA
static const char *role(const struct family *family, const struct variant *variant)
{
	if (strcmp(variant->name, family->single) == 0)
		return "single";
	if (strcmp(variant->name, family->double_) == 0)
		return "double";
	return variant->kind == VARIANT_CANDIDATE ? "" : variant_kind_name(variant->kind);
}

/* "chunk 16384 32768, n 65536": what a sweep varies. */
static void print_axes(const struct family *family, const struct sweep *sweep)
{
	for (int i = 0; i < sweep->naxes; i++) {
		const struct axis *axis = &sweep->axis[i];

		printf("%s%s", i == 0 ? "" : ", ", family->params[axis->param].name);
		for (int j = 0; j < axis->n; j++)
			printf(" %" PRId64, axis->value[j]);
	}
}

static void print_sweeps(const struct family *family)
{
	for (int i = 0; i < family->nsweeps; i++) {
		const struct sweep *sweep = &family->sweeps[i];

		printf("    sweep %s (%s against %s): ", sweep->name, !sweep->single ? family->single : sweep->single,
			!sweep->double_ ? family->double_ : sweep->double_);
		print_axes(family, sweep);
		printf("\n        %s\n", sweep->question);
	}
}

static void print_details(const struct family *family)
{
	printf("    %s\n    sizes:", family->question);
	for (int i = 0; i < family->ncases; i++)
		printf(" %s%s", family->cases[i].label, family->cases[i].verify_only ? " (checked only)" : "");
	putchar('\n');
	for (int i = 0; i < family->nparams; i++) {
		const struct param *p = &family->params[i];

		printf("    --set %s=%" PRId64 " (%" PRId64 " to %" PRId64 "%s%s): %s\n", p->name,
			family->cases[0].value[i], p->min, p->max, *p->unit == '\0' ? "" : " ", p->unit, p->summary);
	}
	print_sweeps(family);
}

static void print_hazards(const struct variant *variant)
{
	for (int i = 0; i < variant->nhazards; i++)
		printf("    teaches a hazard (compute-sanitizer --tool %s finds it)\n        %s\n",
			variant->hazards[i].tool, variant->hazards[i].text);
}

static void print_variant(const struct family *family, const struct variant *variant, bool device)
{
	const char *why = device ? record_unsupported(family->name, variant->name, 0) : NULL;
	char name[160];

	snprintf(name, sizeof(name), "%s/%s", family->name, variant->name);
	printf("  %-44s %-10s %s\n", name, role(family, variant), variant->summary);
	if (why)
		printf("  %-44s not supported here: %s\n", "", why);
}

static void print_variants(const struct list_state *list, const struct family *family, bool device)
{
	for (int i = 0; i < family->nvariants; i++) {
		print_variant(family, &family->variants[i], device);
		if (list->verbose)
			print_hazards(&family->variants[i]);
	}
}

static enum exit_status cmd_list_exec(void *state, int nargs, char **args)
{
	const struct list_state *list = state;
	const struct family *family;
	bool device;

	if (nargs > 0) {
		cmd_error("list takes no argument such as '%s'", args[0]);
		return STATUS_USAGE;
	}
	device = device_probe(0, &(struct error){0}) == DEVICE_OK;
	for (int i = 0; (family = record_family(i)); i++) {
		printf("%s: %s%s%s\n", family->name, family->title, record_is_loaded(family) ? " (loaded)" : "",
			family->on_demand ? " (not part of --all: measured when it is named)" : "");
		if (list->verbose)
			print_details(family);
		print_variants(list, family, device);
	}
	if (!device)
		puts("No usable NVIDIA GPU here: what it would not support is not known (see `dbprof doctor`).");
	return STATUS_DONE;
}
#else
static enum exit_status cmd_list_exec(void *state, int nargs, char **args)
{
	(void)state;
	(void)nargs;
	(void)args;
	cmd_error("this dbprof was built without CUDA and has no families to list: install the CUDA Toolkit (12.8 or "
		  "later) and "
		  "run ./configure again");
	return STATUS_FAILED;
}
#endif

const struct cmd cmd_list = {
	.name = "list",
	.arguments = "[OPTION]...",
	.summary = "show families and variants, and what cannot run here and why",
	.options = options,
	.option = cmd_list_option,
	.exec = cmd_list_exec,
	.state_size = sizeof(struct list_state),
};
