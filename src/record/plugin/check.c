/* check.c: the table of a shared object as a whole, and one family's parameters, cases and functions. See
 * check.h. */
#include "record/plugin/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/cupti/version.h"
#include "record/plugin/check-variant.h"
#include "record/worker/registry.h"
#include "record/worker/sweep.h"
#include "util/alloc.h"

enum { MAX_FAMILIES = 256, MAX_MEMBERS = 4096 };

/* ---- version ---- */

static int check_cuda(const struct dbprof_plugin *plugin, struct error *err)
{
	char theirs[32], ours[32];

	if (plugin->cudart / 1000 == CUDART_VERSION / 1000)
		return 0;
	version_of_cuda((int)plugin->cudart, theirs, sizeof(theirs));
	version_of_cuda(CUDART_VERSION, ours, sizeof(ours));
	return error_set(err,
		"built with CUDA %s, but this dbprof with CUDA %s: build it again with the nvcc of CUDA %d", theirs,
		ours, CUDART_VERSION / 1000);
}

int plugin_check_version(const struct dbprof_plugin *plugin, struct error *err)
{
	if (memcmp(plugin->magic, DBPROF_PLUGIN_MAGIC, sizeof(DBPROF_PLUGIN_MAGIC)) != 0)
		return error_set(err, "its dbprof_plugin was not made by DBPROF_PLUGIN(): see dbprof-variant.h");
	if (plugin->abi < DBPROF_ABI)
		return error_set(err,
			"built for an older dbprof (interface %u, this one has %u): build it again with the headers of "
			"this dbprof",
			plugin->abi, DBPROF_ABI);
	if (plugin->abi > DBPROF_ABI)
		return error_set(err,
			"built for a newer dbprof (interface %u, this one has %u): build it again with the headers of "
			"this dbprof, or update dbprof",
			plugin->abi, DBPROF_ABI);
	return check_cuda(plugin, err);
}

/* ---- values ---- */

static bool check_is_allowed(const struct param *param, int64_t value)
{
	const int64_t *allowed = param->allowed;

	while (allowed && *allowed != 0 && *allowed != value)
		allowed++;
	return value >= param->min && value <= param->max && (!allowed || *allowed != 0);
}

/* Whether each parameter of a case has a legal value. */
static int case_check(const struct family *family, const struct size_case *size, struct error *err)
{
	for (int i = 0; i < family->nparams; i++)
		if (!check_is_allowed(&family->params[i], size->value[i]))
			return error_set(err, "case '%s': %s cannot be %" PRId64, size->label, family->params[i].name,
				size->value[i]);
	return 0;
}

/* ---- the parts of a family ---- */

static int check_texts(const struct family *f, struct error *err)
{
	const struct {
		const char *member, *text;
	} texts[] = {
		{"title", f->title},
		{"question", f->question},
		{"teaches", f->teaches},
		{"source", f->source},
		{"file", f->file},
		{"throughput", f->throughput},
		{"bound_by", f->bound_by},
		{"single", f->single},
		{"double_", f->double_},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!texts[i].text || *texts[i].text == '\0')
			return error_set(err, "%s is %s", texts[i].member, !texts[i].text ? "NULL" : "empty");
	if (file_name_check(f->file, err) < 0)
		return -1;
	if (strcmp(f->throughput, "GFLOP/s") != 0 && strcmp(f->throughput, "GB/s") != 0 &&
		strcmp(f->throughput, "Gelements/s") != 0 && strcmp(f->throughput, "frames/s") != 0)
		return error_set(
			err, "throughput '%s' is none of GFLOP/s, GB/s, Gelements/s and frames/s", f->throughput);
	return 0;
}

static int check_functions(const struct family *f, struct error *err)
{
	const struct {
		const char *member;
		bool there;
	} functions[] = {
		{"device_bytes", f->device_bytes != NULL},
		{"work", f->work != NULL},
		{"set_up", f->set_up != NULL},
		{"tear_down", f->tear_down != NULL},
		{"poison", f->poison != NULL},
		{"check", f->check != NULL},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!functions[i].there)
			return error_set(err, "%s is NULL", functions[i].member);
	return 0;
}

static int check_counts(const struct family *f, struct error *err)
{
	if (f->nparams < 0 || f->nparams > FAMILY_MAX_PARAMS || (f->nparams > 0 && !f->params))
		return error_set(err, "params: there must be 0 to %d", FAMILY_MAX_PARAMS);
	if (f->ncases < 1 || f->ncases > MAX_MEMBERS || !f->cases)
		return error_set(err, "cases: there must be 1 to %d", MAX_MEMBERS);
	if (f->nvariants < 1 || f->nvariants > MAX_MEMBERS || !f->variants)
		return error_set(err, "variants: there must be 1 to %d", MAX_MEMBERS);
	if (f->nsweeps < 0 || f->nsweeps > MAX_MEMBERS || (f->nsweeps > 0 && !f->sweeps))
		return error_set(err, "sweeps: there must be 0 to %d", MAX_MEMBERS);
	return 0;
}

static int check_param(const struct family *f, int i, struct error *err)
{
	const struct param *p = &f->params[i];

	if (name_check(p->name, "name", err) < 0)
		return error_prefix(err, "params[%d]", i);
	if (!p->unit || !p->summary)
		return error_set(err, "param '%s': %s is NULL", p->name, !p->unit ? "unit" : "summary");
	if (p->min > p->max)
		return error_set(err, "param '%s': min %" PRId64 " is above max %" PRId64, p->name, p->min, p->max);
	for (int j = 0; j < i; j++)
		if (strcmp(f->params[j].name, p->name) == 0)
			return error_set(err, "two params are named '%s'", p->name);
	return 0;
}

static int check_case(const struct family *f, int i, struct error *err)
{
	const struct size_case *size = &f->cases[i];

	if (name_check(size->label, "label", err) < 0)
		return error_prefix(err, "cases[%d]", i);
	for (int j = 0; j < i; j++)
		if (strcmp(f->cases[j].label, size->label) == 0)
			return error_set(err, "two cases have the label '%s'", size->label);
	if (strcmp(size->label, "set") == 0)
		return error_set(err, "case 'set': that label is for what --set makes");
	if (size->sweep)
		return error_set(err, "case '%s': sweep is not NULL", size->label);
	if (i == 0 && size->verify_only)
		return error_set(
			err, "case '%s': the first case is the headline, so it cannot be verify_only", size->label);
	return case_check(f, size, err);
}

/* ---- calls ---- */

static void doing(const struct plugin_doing *out, const struct family *f, const char *function, const char *label)
{
	snprintf(out->text, out->size, "in %s() of family '%s' for case '%s'", function, f->name, label);
}

static int call_functions(
	const struct family *f, const struct size_case *size, const struct plugin_doing *out, struct error *err)
{
	struct work work = {0};

	doing(out, f, "device_bytes", size->label);
	(void)f->device_bytes(size);
	if (f->host_bytes) {
		doing(out, f, "host_bytes", size->label);
		(void)f->host_bytes(size);
	}
	if (f->refused) {
		doing(out, f, "refused", size->label);
		(void)f->refused(size);
	}
	doing(out, f, "work", size->label);
	f->work(size, &work);
	if (!(work.flops >= 0 && work.bytes >= 0 && work.elements >= 0) ||
		!isfinite(work.flops + work.bytes + work.elements))
		return error_set(err, "work() of case '%s' gives a number that is negative or not finite", size->label);
	for (int i = 0; i < f->nvariants; i++) {
		struct shape shape;

		if (!f->variants[i].shape)
			continue;
		doing(out, f, "shape", size->label);
		f->variants[i].shape(size, &shape);
	}
	return 0;
}

static int call_for_points(
	const struct family *f, const struct sweep *sweep, const struct plugin_doing *out, struct error *err)
{
	const struct size_case *base = &f->cases[sweep->base];
	struct size_case *points;
	char(*labels)[SWEEP_LABEL];
	int n, result = 0;

	doing(out, f, "wanted", sweep->name);
	n = sweep_count(sweep, base);
	if (n < 2)
		return error_set(err, "sweep '%s' has fewer than two points", sweep->name);
	points = xcalloc((size_t)n, sizeof(*points));
	labels = xcalloc((size_t)n, sizeof(*labels));
	n = sweep_fill(sweep, base, points, labels);
	for (int i = 0; i < n && result == 0; i++)
		result = case_check(f, &points[i], err) < 0 ? -1 : call_functions(f, &points[i], out, err);
	free(points);
	free(labels);
	return result;
}

/* ---- a family, and the whole ---- */

static int family_check(const struct family *f, const struct plugin_doing *out, struct error *err)
{
	if (check_texts(f, err) < 0 || check_functions(f, err) < 0 || check_counts(f, err) < 0)
		return -1;
	for (int i = 0; i < f->nparams; i++)
		if (check_param(f, i, err) < 0)
			return -1;
	for (int i = 0; i < f->ncases; i++)
		if (check_case(f, i, err) < 0)
			return -1;
	if (variants_check(f, err) < 0 || ladder_check(f, err) < 0 || sweeps_check(f, err) < 0)
		return -1;
	for (int i = 0; i < f->ncases; i++)
		if (call_functions(f, &f->cases[i], out, err) < 0)
			return -1;
	for (int i = 0; i < f->nsweeps; i++)
		if (call_for_points(f, &f->sweeps[i], out, err) < 0)
			return -1;
	return 0;
}

static bool has_source(const struct dbprof_plugin *plugin, const char *name)
{
	for (const struct plugin_file *file = plugin->files; file < plugin->files_end; file++)
		if (strcmp(plugin_file_name(file), name) == 0)
			return true;
	return plugin->files == plugin->files_end;
}

/* A family may come without its source. But a name that is not among the sources is a mistake. */
static int check_source_names(const struct dbprof_plugin *plugin, const struct family *f, struct error *err)
{
	const char *missing = has_source(plugin, f->file) ? NULL : f->file;

	for (int i = 0; i < f->nvariants && !missing; i++)
		if (f->variants[i].file && !has_source(plugin, f->variants[i].file))
			missing = f->variants[i].file;
	return !missing ? 0
			: error_set(err,
				  "file '%s' is not the name of a file with DBPROF_SOURCE or DBPROF_PLUGIN(), such as "
				  "%s",
				  missing, plugin->files->path);
}

static int check_one(const struct dbprof_plugin *plugin, uint64_t i, const struct plugin_doing *out, struct error *err)
{
	const struct family *f = plugin->families[i];

	if (!f)
		return error_set(err, "family number %" PRIu64 " of DBPROF_PLUGIN() is NULL", i + 1);
	if (name_check(f->name, "name", err) < 0)
		return error_prefix(err, "family number %" PRIu64, i + 1);
	snprintf(out->text, out->size, "when the table of family '%s' was read", f->name);
	for (uint64_t j = 0; j < i; j++)
		if (strcmp(plugin->families[j]->name, f->name) == 0)
			return error_set(err, "two families are named '%s'", f->name);
	if (family_check(f, out, err) < 0 || check_source_names(plugin, f, err) < 0)
		return error_prefix(err, "family '%s'", f->name);
	return 0;
}

int plugin_check(const struct dbprof_plugin *plugin, const struct plugin_doing *out, struct error *err)
{
	const struct plugin_runtime *runtime = plugin->runtime;

	snprintf(out->text, out->size, "when its table was read");
	if (!runtime || !runtime->set_device || !runtime->take_error || !runtime->attributes || !runtime->symbol ||
		!runtime->resident)
		return error_set(err, "its runtime is not complete: make dbprof_plugin with DBPROF_PLUGIN()");
	if (!plugin->families || plugin->nfamilies < 1 || plugin->nfamilies > MAX_FAMILIES)
		return error_set(
			err, "it has %" PRIu64 " families: there must be 1 to %d", plugin->nfamilies, MAX_FAMILIES);
	for (uint64_t i = 0; i < plugin->nfamilies; i++)
		if (check_one(plugin, i, out, err) < 0)
			return -1;
	return 0;
}
