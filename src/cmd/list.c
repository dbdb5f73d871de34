/* list.c: `dbprof list`: families and variants, and what cannot run here and why. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/options.h"
#include "record/record.h"
#include "util/alloc.h"
#include "util/columns.h"
#include "util/strbuf.h"
#include "util/text/nearest.h"
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
	.details = "Lines are as long as the terminal is wide: COLUMNS, if it is set, or else what the terminal says, "
		   "or else 80.",
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

/* A summary gets at least so many columns, or else lines of its own. */
enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40, SUMMARY_LEAST = 28 };

/* What is printed, and for a terminal of which width. */
struct listing {
	const struct record_options *what;
	bool device, verbose; /* whether a GPU can be asked what it supports */
	int width, names;     /* names: columns of the longest one in the family */
	struct strbuf out;
};

/* Columns of the terminal: as COLUMNS or the terminal says. */
static int list_width(void)
{
	const char *columns = getenv("COLUMNS");
	long width = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (width <= 0)
		width = WIDTH_DEFAULT;
	return width < WIDTH_LEAST ? WIDTH_LEAST : width > INT_MAX ? INT_MAX : (int)width;
}

static const char *role_name(const struct family *family, const struct variant *variant)
{
	if (strcmp(variant->name, family->single) == 0)
		return "single";
	if (strcmp(variant->name, family->double_) == 0)
		return "double";
	return variant->kind == VARIANT_CANDIDATE ? "" : variant_kind_name(variant->kind);
}

/* A text behind a label, in as many lines as it takes. */
static void list_text(struct listing *l, const char *label, const char *text)
{
	columns_wrap_at(&l->out, label, text, l->width);
}

/* The same behind a label of `indent` columns, or behind as many blanks if it is "". */
static void list_behind(struct listing *l, const char *label, int indent, const char *text)
{
	char *first = xasprintf("%*s", indent, label);

	list_text(l, first, text);
	free(first);
}

/* "chunk 16384 32768, n 65536": what a sweep varies. For free(). */
static char *sweep_axes(const struct family *family, const struct sweep *sweep)
{
	struct strbuf axes = {0};

	for (int i = 0; i < sweep->naxes; i++) {
		const struct axis *axis = &sweep->axis[i];

		strbuf_printf(&axes, "%s%s", i == 0 ? "" : ", ", family->params[axis->param].name);
		for (int j = 0; j < axis->n; j++)
			strbuf_printf(&axes, " %" PRId64, axis->value[j]);
	}
	return strbuf_take(&axes);
}

static void list_sweeps(struct listing *l, const struct family *family)
{
	for (int i = 0; i < family->nsweeps; i++) {
		const struct sweep *sweep = &family->sweeps[i];
		char *axes = sweep_axes(family, sweep);
		char *line = xasprintf("sweep %s (%s against %s): %s", sweep->name,
			!sweep->single ? family->single : sweep->single,
			!sweep->double_ ? family->double_ : sweep->double_, axes);

		list_text(l, "    ", line);
		list_text(l, "        ", sweep->question);
		free(line);
		free(axes);
	}
}

static void list_sizes(struct listing *l, const struct family *family)
{
	struct strbuf sizes = {0};

	for (int i = 0; i < family->ncases; i++)
		strbuf_printf(&sizes, "%s%s%s", i ? " " : "", family->cases[i].label,
			family->cases[i].verify_only ? " (checked only)" : "");
	list_text(l, "    sizes: ", sizes.text ? sizes.text : "");
	strbuf_free(&sizes);
}

static void list_details(struct listing *l, const struct family *family)
{
	list_text(l, "    ", family->question);
	list_sizes(l, family);
	for (int i = 0; i < family->nparams; i++) {
		const struct param *p = &family->params[i];
		char *line = xasprintf("--set %s=%" PRId64 " (%" PRId64 " to %" PRId64 "%s%s): %s", p->name,
			family->cases[0].value[i], p->min, p->max, *p->unit == '\0' ? "" : " ", p->unit, p->summary);

		list_text(l, "    ", line);
		free(line);
	}
	list_sweeps(l, family);
}

static void list_hazards(struct listing *l, const struct variant *variant)
{
	for (int i = 0; i < variant->nhazards; i++) {
		char *line =
			xasprintf("teaches a hazard (compute-sanitizer --tool %s finds it)", variant->hazards[i].tool);

		list_text(l, "    ", line);
		free(line);
		list_text(l, "        ", variant->hazards[i].text);
	}
}

static void list_variant(struct listing *l, const struct family *family, const struct variant *variant)
{
	const char *why = l->device ? record_unsupported(family->name, variant->name, 0) : NULL;
	char *name = xasprintf("%s/%s", family->name, variant->name);
	char *label = xasprintf("  %-*s %-10s ", l->names, name, role_name(family, variant));
	char *summary = xasprintf(
		"%s%s", variant->summary, variant->on_demand && !family->on_demand ? " (not part of --all)" : "");
	int indent = columns_of(label);

	if (l->width - indent < SUMMARY_LEAST) {
		strbuf_printf(&l->out, "  %s %s\n", name, role_name(family, variant));
		indent = 6;
		label[0] = '\0';
	}
	list_behind(l, label, indent, summary);
	if (why) {
		char *line = xasprintf("not supported here: %s", why);

		list_behind(l, "", indent, line);
		free(line);
	}
	free(summary);
	free(label);
	free(name);
}

static void list_variants(struct listing *l, const struct family *family)
{
	l->names = 0;
	for (int i = 0; i < family->nvariants; i++) {
		int columns = columns_of(family->name) + 1 + columns_of(family->variants[i].name);

		l->names = columns > l->names ? columns : l->names;
	}
	for (int i = 0; i < family->nvariants; i++) {
		if (l->what->nselection > 0 && !select_variant(l->what, family, &family->variants[i]))
			continue;
		list_variant(l, family, &family->variants[i]);
		if (l->verbose)
			list_hazards(l, &family->variants[i]);
	}
}

static void list_family(struct listing *l, const struct family *family)
{
	char *title, *label;

	/* Without names all are listed, also those that are only measured when they are named. */
	if (l->what->nselection > 0 && !select_family(l->what, family))
		return;
	label = xasprintf("%s: ", family->name);
	title = xasprintf("%s%s%s", family->title, registry_plugin(family) ? " (loaded)" : "",
		family->on_demand ? " (not part of --all: measured when it is named)" : "");
	list_text(l, label, title);
	free(title);
	free(label);
	if (l->verbose)
		list_details(l, family);
	list_variants(l, family);
}

static enum exit_status cmd_list_exec(void *state, int nargs, char **args)
{
	const struct list_state *list = state;
	const struct record_options what = {.selection = (const char *const *)args, .nselection = nargs};
	struct listing listing = {.what = &what, .verbose = list->verbose, .width = list_width()};

	for (int i = 0; i < nargs; i++)
		if (!list_knows(args[i]))
			return unknown_name(args[i]);
	listing.device = device_probe(0, &(struct error){0}) == DEVICE_OK;
	for (int i = 0; i < registry_count(); i++)
		list_family(&listing, registry_family(i));
	if (!listing.device)
		list_text(&listing, "", "No usable NVIDIA GPU here: what it lacks is not known (see `dbprof doctor`).");
	fputs(listing.out.text ? listing.out.text : "", stdout);
	strbuf_free(&listing.out);
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
