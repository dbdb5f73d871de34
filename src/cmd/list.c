/* list.c: `dbprof list`: families and variants, and what cannot run here and why. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/nearest.h"
#include "cmd/options.h"
#include "record/record.h"
#ifdef HAVE_CUDA
#include "record/worker/registry.h"
#include "record/worker/select.h"
#endif

static enum exit_status cmd_list_option(void *state, int key, const char *value);
static enum exit_status cmd_list_exec(void *state, int nargs, char **args);

struct list_state {
	bool verbose;
};

static const struct cmd_option list_table[] = {
	{'v', "verbose", .help = "also show questions, sizes, parameters, sweeps and hazards"},
	{OPTION_LOAD, "load", "FILE.so", .value = VALUE_OBJECT,
		.help = "also show the families of a shared object of your own"},
	{0},
};

const struct cmd cmd_list = {
	.name = "list",
	.arguments = "[OPTION]... [FAMILY[/VARIANT]]...",
	.takes = {VALUE_FAMILY},
	.summary = "show families and variants (all, if none is named), and what cannot run here and why",
	.options = list_table,
	.option = cmd_list_option,
	.exec = cmd_list_exec,
	.state_size = sizeof(struct list_state),
};

static enum exit_status cmd_list_option(void *state, int key, const char *value)
{
	struct list_state *list = state;

	if (key == OPTION_LOAD)
		return cmd_load(value);
	list->verbose = true;
	return STATUS_DONE;
}

#ifdef HAVE_CUDA
/* ---- names ---- */

static bool list_knows(const char *name)
{
	const char *slash = strchr(name, '/');
	char family_name[NEAREST_NAME];
	const struct family *family;

	snprintf(family_name, sizeof(family_name), "%.*s", (int)strcspn(name, "/"), name);
	family = family_find(family_name);
	return family && (!slash || variant_find(family, slash + 1));
}

static void try_families(struct nearest *nearest)
{
	for (int i = 0; i < registry_count(); i++)
		nearest_try(nearest, registry_family(i)->name);
}

static void try_variants(struct nearest *nearest)
{
	char name[NEAREST_NAME];

	for (int i = 0; i < registry_count(); i++) {
		for (int k = 0; k < registry_family(i)->nvariants; k++) {
			snprintf(name, sizeof(name), "%s/%s", registry_family(i)->name,
				registry_family(i)->variants[k].name);
			nearest_try(nearest, name);
		}
	}
}

static enum exit_status unknown_name(const char *name)
{
	struct nearest nearest = {.wanted = name};
	char question[NEAREST_TEXT];

	try_families(&nearest);
	if (nearest.n == 0)
		try_variants(&nearest);
	cmd_error("list: there is no family or variant '%s': %s`dbprof list` names all", name,
		nearest_question(&nearest, question, sizeof(question)));
	return STATUS_USAGE;
}

/* ---- the list ---- */

static const char *role_name(const struct family *family, const struct variant *variant)
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
	printf("  %-44s %-10s %s\n", name, role_name(family, variant), variant->summary);
	if (why)
		printf("  %-44s not supported here: %s\n", "", why);
}

static void list_variants(const struct record_options *what, const struct family *family, bool device, bool verbose)
{
	for (int i = 0; i < family->nvariants; i++) {
		if (!select_variant(what, family, &family->variants[i]))
			continue;
		print_variant(family, &family->variants[i], device);
		if (verbose)
			print_hazards(&family->variants[i]);
	}
}

static void list_family(const struct record_options *what, const struct family *family, bool device, bool verbose)
{
	/* Without names all are listed, also those that are only measured when they are named. */
	if (what->nselection > 0 && !select_family(what, family))
		return;
	printf("%s: %s%s%s\n", family->name, family->title, registry_plugin(family) ? " (loaded)" : "",
		family->on_demand ? " (not part of --all: measured when it is named)" : "");
	if (verbose)
		print_details(family);
	list_variants(what, family, device, verbose);
}

static enum exit_status cmd_list_exec(void *state, int nargs, char **args)
{
	const struct list_state *list = state;
	const struct record_options what = {.selection = (const char *const *)args, .nselection = nargs};
	bool device;

	for (int i = 0; i < nargs; i++)
		if (!list_knows(args[i]))
			return unknown_name(args[i]);
	device = device_probe(0, &(struct error){0}) == DEVICE_OK;
	for (int i = 0; i < registry_count(); i++)
		list_family(&what, registry_family(i), device, list->verbose);
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
	return cmd_lacks_cuda("has no families to list");
}
#endif
