/* check-variant.c: checks the variants of a loaded family, its pair and its sweeps. See check-variant.h. */
#include "record/plugin/check-variant.h"

#include <string.h>

#include "record/pass/phase-stamps.h"
#include "record/worker/select.h"
#include "util/utf8.h"

/* The label of a point is made of the sweep's name and the values of two parameters. It must fit into SWEEP_LABEL. */
enum { NAME_MAX_LENGTH = 63, MAX_BUFFERS = 1024, MAX_HAZARDS = 8, SWEEP_NAME_MAX = 48 };

/* ---- names ---- */

int name_check(const char *name, const char *what, struct error *err)
{
	if (!name)
		return error_set(err, "%s is NULL", what);
	if (*name == '\0' || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')
		return error_set(err, "%s '%.64s' is not made of a to z, 0 to 9 and -", what, name);
	if (strlen(name) > NAME_MAX_LENGTH)
		return error_set(err, "%s '%.64s...' is longer than %d characters", what, name, NAME_MAX_LENGTH);
	return 0;
}

int file_name_check(const char *file, struct error *err)
{
	if (*file == '\0')
		return error_set(err, "file is empty");
	if (!utf8_valid(file))
		return error_set(err, "file is not text in UTF-8");
	if (strchr(file, '/') || strcmp(file, ".") == 0 || strcmp(file, "..") == 0)
		return error_set(err, "file '%s' is not the name of a file without its folder", file);
	return 0;
}

/* ---- variants ---- */

static int check_phases(const struct variant *v, struct error *err)
{
	if ((!v->launch_phases) != (!v->phases))
		return error_set(err, "%s is NULL, but %s is not", !v->phases ? "phases" : "launch_phases",
			!v->phases ? "launch_phases" : "phases");
	if (v->phases && !v->config)
		return error_set(err, "phases: config is NULL");
	if (v->phases && !phase_plan_valid(v->phases))
		return error_set(err, "phases: prologue, loop and epilogue are made of l, w, c and s, with something "
				      "in loop and no w "
				      "behind a w, and steps() says how often");
	return 0;
}

/* `f`: whose variant it is. */
static int check_roles(const struct family *f, const struct variant *v, struct error *err)
{
	if ((!v->launch_roles) != (!v->roles))
		return error_set(err, "%s is NULL, but %s is not", !v->roles ? "roles" : "launch_roles",
			!v->roles ? "launch_roles" : "roles");
	if (!v->roles)
		return 0;
	if (!v->config)
		return error_set(err, "roles: config is NULL");
	if (v->roles->stage_bytes < 1)
		return error_set(err, "roles: stage_bytes cannot be %d", v->roles->stage_bytes);
	if (!v->roles->without)
		return 0;
	const struct variant *without = variant_find(f, v->roles->without);

	if (!without || !without->roles)
		return error_set(
			err, "roles: without '%s' is not one of the family's variants with roles", v->roles->without);
	return 0;
}

/* A part makes no result. It is only timed, and nothing else may be asked of it. */
static int check_part(const struct variant *v, struct error *err)
{
	if (v->launch_phases || v->launch_roles || v->steps || v->shape)
		return error_set(err, "%s must be NULL: a part of the work is only timed",
			v->launch_phases  ? "launch_phases"
			: v->launch_roles ? "launch_roles"
			: v->steps        ? "steps"
					  : "shape");
	return v->teaches_failure ? error_set(err, "teaches_failure: a part of the work is not checked") : 0;
}

/* The report names the tool in a command line. */
static bool is_tool(const char *name)
{
	static const char *const tools[] = {"memcheck", "racecheck", "synccheck", "initcheck"};

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (strcmp(name, tools[i]) == 0)
			return true;
	return false;
}

static int check_hazards(const struct variant *v, struct error *err)
{
	if (v->nhazards < 0 || v->nhazards > MAX_HAZARDS || (v->nhazards > 0 && !v->hazards))
		return error_set(err, "hazards and nhazards do not fit: there must be 0 to %d", MAX_HAZARDS);
	for (int i = 0; i < v->nhazards; i++) {
		const struct hazard *hazard = &v->hazards[i];

		if (!hazard->text || !hazard->tool)
			return error_set(err, "hazards[%d]: %s is NULL", i, !hazard->text ? "text" : "tool");
		if (!is_tool(hazard->tool))
			return error_set(err,
				"hazards[%d]: tool '%.40s' is not memcheck, racecheck, synccheck or initcheck", i,
				hazard->tool);
	}
	return 0;
}

static int check_variant(const struct family *f, const struct variant *v, struct error *err)
{
	if (!v->summary)
		return error_set(err, "summary is NULL");
	if (!v->launch)
		return error_set(err, "launch is NULL");
	if ((int)v->kind < VARIANT_CANDIDATE || v->kind > VARIANT_COMPUTE)
		return error_set(err, "kind %d is none of enum variant_kind", (int)v->kind);
	if (v->buffers < 0 || v->buffers > MAX_BUFFERS)
		return error_set(err, "buffers cannot be %d", v->buffers);
	if (v->file && file_name_check(v->file, err) < 0)
		return -1;
	if (check_phases(v, err) < 0 || check_roles(f, v, err) < 0 || check_hazards(v, err) < 0)
		return -1;
	return variant_is_part(v->kind) ? check_part(v, err) : 0;
}

/* Whether a pair's sides are two variants of the family, each of a kind that `kinds` has a bit for. */
static int pair_check(const struct family *f, const char *const names[2], const unsigned kinds[2], struct error *err)
{
	static const char *const members[] = {"single", "double_"};

	for (int i = 0; i < 2; i++) {
		const struct variant *v = variant_find(f, names[i]);

		if (!v)
			return error_set(err, "%s '%s' is not one of its variants", members[i], names[i]);
		if (!(kinds[i] & 1u << v->kind) || v->teaches_failure)
			return error_set(err, "%s '%s' is no candidate, or wrong on purpose", members[i], names[i]);
	}
	return strcmp(names[0], names[1]) == 0 ? error_set(err, "single and double_ are both '%s'", names[0]) : 0;
}

/* The family's own pair: candidates that have buffers and are always measured. */
static int own_pair_check(const struct family *f, struct error *err)
{
	const char *const names[] = {f->single, f->double_};
	const unsigned kinds[] = {1u << VARIANT_CANDIDATE, 1u << VARIANT_CANDIDATE};

	if (pair_check(f, names, kinds, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		const struct variant *v = variant_find(f, names[i]);

		if (v->on_demand)
			return error_set(err, "single and double_ cannot be on demand");
		if (v->buffers < 1)
			return error_set(err, "variant '%s': buffers cannot be %d", v->name, v->buffers);
	}
	return 0;
}

int variants_check(const struct family *f, struct error *err)
{
	for (int i = 0; i < f->nvariants; i++) {
		const struct variant *v = &f->variants[i];

		if (name_check(v->name, "name", err) < 0)
			return error_prefix(err, "variants[%d]", i);
		for (int j = 0; j < i; j++)
			if (strcmp(f->variants[j].name, v->name) == 0)
				return error_set(err, "two variants are named '%s'", v->name);
		if (check_variant(f, v, err) < 0)
			return error_prefix(err, "variant '%s'", v->name);
	}
	return own_pair_check(f, err);
}

/* ---- sweeps ---- */

static int check_axis(const struct family *f, const struct axis *axis, struct error *err)
{
	if (axis->param < 0 || axis->param >= f->nparams)
		return error_set(err, "axis: there is no param number %d", axis->param);
	if (axis->n < 1 || axis->n > AXIS_MAX_VALUES)
		return error_set(
			err, "axis of %s: there must be 1 to %d values", f->params[axis->param].name, AXIS_MAX_VALUES);
	for (int i = 1; i < axis->n; i++)
		if (axis->value[i] <= axis->value[i - 1])
			return error_set(err, "axis of %s: the values do not rise", f->params[axis->param].name);
	return 0;
}

static int check_axes(const struct family *f, const struct sweep *s, struct error *err)
{
	if (s->naxes < 1 || s->naxes > SWEEP_MAX_AXES)
		return error_set(err, "naxes must be 1 or %d", SWEEP_MAX_AXES);
	for (int i = 0; i < s->naxes; i++)
		if (check_axis(f, &s->axis[i], err) < 0)
			return -1;
	if (s->naxes == 2 && s->axis[0].param == s->axis[1].param)
		return error_set(err, "both axes vary %s", f->params[s->axis[0].param].name);
	return 0;
}

/* A point's label begins with the sweep's name. So no case's name may begin with it. */
static int check_label(const struct family *f, const struct sweep *s, struct error *err)
{
	for (int i = 0; i < f->ncases; i++)
		if (strncmp(f->cases[i].label, s->name, strlen(s->name)) == 0)
			return error_set(err, "the label of case '%s' begins like its name", f->cases[i].label);
	for (const struct sweep *other = f->sweeps; other < s; other++)
		if (strcmp(other->name, s->name) == 0)
			return error_set(err, "there are two of that name");
	return 0;
}

static int check_sweep(const struct family *f, const struct sweep *s, struct error *err)
{
	const char *const names[] = {s->single, s->double_};
	const unsigned kinds[] = {1u << VARIANT_CANDIDATE | 1u << VARIANT_REFERENCE, 1u << VARIANT_CANDIDATE};

	if (!s->title || !s->question)
		return error_set(err, "%s is NULL", !s->title ? "title" : "question");
	if (strlen(s->name) > SWEEP_NAME_MAX)
		return error_set(err, "its name is longer than %d characters", SWEEP_NAME_MAX);
	if (s->base < 0 || s->base >= f->ncases || f->cases[s->base].verify_only)
		return error_set(err, "base %d is not the number of a case that is timed", s->base);
	if (check_label(f, s, err) < 0 || check_axes(f, s, err) < 0)
		return -1;
	if ((!s->single) != (!s->double_))
		return error_set(err, "only one of single and double_ is NULL");
	return !s->single ? 0 : pair_check(f, names, kinds, err);
}

int sweeps_check(const struct family *f, struct error *err)
{
	for (int i = 0; i < f->nsweeps; i++) {
		if (name_check(f->sweeps[i].name, "name", err) < 0)
			return error_prefix(err, "sweeps[%d]", i);
		if (check_sweep(f, &f->sweeps[i], err) < 0)
			return error_prefix(err, "sweep '%s'", f->sweeps[i].name);
	}
	return 0;
}
