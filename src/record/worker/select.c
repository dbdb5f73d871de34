/* select.c: selection and settings, and their check before any GPU work. See select.h. */
#include "record/worker/select.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/worker/registry.h"
#include "record/worker/sweep.h"
#include "util/alloc.h"
#include "util/text/nearest.h"

const struct family *family_find(const char *name)
{
	for (int i = 0; i < registry_count(); i++)
		if (strcmp(registry_family(i)->name, name) == 0)
			return registry_family(i);
	return NULL;
}

const struct variant *variant_find(const struct family *family, const char *name)
{
	for (int i = 0; i < family->nvariants; i++)
		if (strcmp(family->variants[i].name, name) == 0)
			return &family->variants[i];
	return NULL;
}

/* Whether `item` ("FAMILY" or "FAMILY/VARIANT") names the family. */
static bool names_family(const char *item, const struct family *family)
{
	size_t length = strcspn(item, "/");

	return strlen(family->name) == length && strncmp(family->name, item, length) == 0;
}

/* Whether the family is measured when none is named. Who loads families means these. */
static bool select_is_default(const struct record_options *options, const struct family *family)
{
	if (registry_has_loaded() && !options->built_in && !registry_plugin(family))
		return false;
	return !family->on_demand;
}

bool select_family(const struct record_options *options, const struct family *family)
{
	for (int i = 0; i < options->nselection; i++)
		if (names_family(options->selection[i], family))
			return true;
	return options->nselection == 0 && select_is_default(options, family);
}

bool select_variant(const struct record_options *options, const struct family *family, const struct variant *variant)
{
	for (int i = 0; i < options->nselection; i++) {
		const char *slash = strchr(options->selection[i], '/');

		if (names_family(options->selection[i], family) && (!slash || strcmp(slash + 1, variant->name) == 0))
			return true;
	}
	return options->nselection == 0 && !variant->on_demand;
}

/* Index of the parameter that "name=value" sets, or -1. */
static int param_of(const struct family *family, const char *setting)
{
	size_t length = strcspn(setting, "=");

	for (int i = 0; i < family->nparams; i++)
		if (strlen(family->params[i].name) == length && strncmp(family->params[i].name, setting, length) == 0)
			return i;
	return -1;
}

/* The number after '='; false if there is none. */
static bool setting_value(const char *setting, int64_t *value)
{
	const char *text = strchr(setting, '=');
	char *end;

	if (!text || text[1] == '\0')
		return false;
	errno = 0;
	*value = strtoll(text + 1, &end, 10);
	return errno == 0 && *end == '\0';
}

/* Whether a setting changes a parameter of the family. */
static bool select_is_set(const struct record_options *options, const struct family *family)
{
	for (int i = 0; i < options->nsettings; i++)
		if (param_of(family, options->settings[i]) >= 0)
			return true;
	return false;
}

static void apply_settings(const struct record_options *options, const struct family *family, struct size_case *size)
{
	for (int i = 0; i < options->nsettings; i++) {
		int param = param_of(family, options->settings[i]);
		int64_t value;

		if (param >= 0 && setting_value(options->settings[i], &value)) {
			size->value[param] = value;
			size->set |= 1u << param;
		}
	}
}

/* The case that a sweep starts from, with the settings applied. */
static struct size_case sweep_base(
	const struct record_options *options, const struct family *family, const struct sweep *sweep)
{
	struct size_case base = family->cases[sweep->base];

	apply_settings(options, family, &base);
	return base;
}

static bool select_side(const struct record_options *options, const struct family *family, const char *name)
{
	const struct variant *variant = variant_find(family, name);

	return !variant || !variant->on_demand || select_variant(options, family, variant);
}

/* Whether a sweep is made: one whose pair has a side that is on demand takes more than half a pair. */
static bool select_sweep(const struct record_options *options, const struct family *family, const struct sweep *sweep)
{
	return options->sweep && (!sweep->single || select_side(options, family, sweep->single)) &&
	       (!sweep->double_ || select_side(options, family, sweep->double_));
}

static int select_count_points(const struct record_options *options, const struct family *family)
{
	int n = 0;

	for (int i = 0; i < family->nsweeps; i++) {
		struct size_case base = sweep_base(options, family, &family->sweeps[i]);

		n += select_sweep(options, family, &family->sweeps[i]) ? sweep_count(&family->sweeps[i], &base) : 0;
	}
	return n;
}

/* The cases that are only checked, which are small and ragged, or all cases if there are none. Returns how many. */
static int small_cases(const struct family *family, struct size_case *out)
{
	int n = 0;

	for (int i = 0; i < family->ncases; i++)
		if (family->cases[i].verify_only)
			out[n++] = family->cases[i];
	return n > 0 ? n : family->ncases;
}

/* The family's own cases, or "set" alone. Returns how many. */
static int select_own_cases(const struct record_options *options, const struct family *family, struct size_case *out)
{
	memcpy(out, family->cases, (size_t)family->ncases * sizeof(*out));
	if (!select_is_set(options, family))
		return options->once ? small_cases(family, out) : family->ncases;
	apply_settings(options, family, &out[0]);
	out[0].label = "set";
	return 1;
}

struct size_case *select_cases(const struct record_options *options, const struct family *family, int *n)
{
	size_t points = (size_t)select_count_points(options, family), room = (size_t)family->ncases + points;
	struct size_case *cases = xmalloc(room * sizeof(*cases) + points * SWEEP_LABEL);
	char(*labels)[SWEEP_LABEL] = (char(*)[SWEEP_LABEL])(cases + room);

	*n = select_own_cases(options, family, cases);
	for (int i = 0; i < family->nsweeps; i++) {
		struct size_case base = sweep_base(options, family, &family->sweeps[i]);
		int filled = select_sweep(options, family, &family->sweeps[i])
				     ? sweep_fill(&family->sweeps[i], &base, cases + *n, labels)
				     : 0;

		*n += filled;
		labels += filled;
	}
	return cases;
}

struct pair select_pair(const struct family *family, const struct size_case *size)
{
	const struct sweep *sweep = sweep_of(family, size);
	const char *single = sweep && sweep->single ? sweep->single : family->single;
	const char *dbl = sweep && sweep->double_ ? sweep->double_ : family->double_;

	return (struct pair){variant_find(family, single), variant_find(family, dbl)};
}

bool select_in_case(const struct family *family, const struct variant *variant, const struct size_case *size)
{
	const struct sweep *sweep = sweep_of(family, size);
	struct pair pair = select_pair(family, size);

	if (!sweep || variant == pair.single || variant == pair.dbl)
		return true;
	return !variant->on_demand &&
	       (variant_is_part(variant->kind) || (sweep->every_candidate && variant->kind == VARIANT_CANDIDATE));
}

bool select_skipped(const struct record_options *options, const char *family, const char *variant, const char *label)
{
	char name[256];
	int length = snprintf(name, sizeof(name), "%s/%s/%s", family, variant, label);

	for (const char *p = options->skip; p && *p != '\0';) {
		size_t n = strcspn(p, ",");

		if (n == (size_t)length && strncmp(p, name, n) == 0)
			return true;
		p += n + (p[n] == ',');
	}
	return false;
}

int select_timed_cases(const struct record_options *options)
{
	int n = 0;

	for (int f = 0; f < registry_count(); f++)
		if (select_family(options, registry_family(f))) {
			int cases = select_is_set(options, registry_family(f)) ? 1 : registry_family(f)->ncases;

			for (int c = 0; c < cases; c++)
				n += !registry_family(f)->cases[c].verify_only;
			n += select_count_points(options, registry_family(f));
		}
	return n;
}

/* ---- the check ---- */

/* Appends ", name" or "name" to a list in a buffer. Leaves out a name that does not fit. */
static void select_list_add(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);

	if (used + strlen(name) + 3 <= size)
		snprintf(list + used, size - used, "%s%s", used == 0 ? "" : ", ", name);
}

static bool list_has(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = list; *p != '\0'; p += strspn(p, ", ")) {
		size_t n = strcspn(p, ",");

		if (n == length && strncmp(p, name, n) == 0)
			return true;
		p += n;
	}
	return false;
}

static int unknown_family(const char *item, struct error *err)
{
	char list[512] = "", wanted[NEAREST_NAME], question[NEAREST_TEXT];
	struct nearest nearest = {.wanted = wanted};

	snprintf(wanted, sizeof(wanted), "%.*s", (int)strcspn(item, "/"), item);
	for (int i = 0; i < registry_count(); i++) {
		select_list_add(list, sizeof(list), registry_family(i)->name);
		nearest_try(&nearest, registry_family(i)->name);
	}
	return error_set(err, "there is no family '%.*s': %schoose from %s", (int)strcspn(item, "/"), item,
		nearest_question(&nearest, question, sizeof(question)), list);
}

static int unknown_variant(const struct family *family, const char *name, struct error *err)
{
	char list[512] = "", question[NEAREST_TEXT];
	struct nearest nearest = {.wanted = name};

	for (int i = 0; i < family->nvariants; i++) {
		select_list_add(list, sizeof(list), family->variants[i].name);
		nearest_try(&nearest, family->variants[i].name);
	}
	return error_set(err, "%s has no variant '%s': %schoose from %s", family->name, name,
		nearest_question(&nearest, question, sizeof(question)), list);
}

static int check_item(const char *item, struct error *err)
{
	const char *slash = strchr(item, '/');

	for (int i = 0; i < registry_count(); i++) {
		if (!names_family(item, registry_family(i)))
			continue;
		if (slash && !variant_find(registry_family(i), slash + 1))
			return unknown_variant(registry_family(i), slash + 1, err);
		return 0;
	}
	return unknown_family(item, err);
}

/* No selected family has the parameter: says which parameters there are. */
static int unknown_param(const struct record_options *options, const char *setting, struct error *err)
{
	char list[512] = "";

	for (int f = 0; f < registry_count(); f++) {
		if (!select_family(options, registry_family(f)))
			continue;
		for (int i = 0; i < registry_family(f)->nparams; i++)
			if (!list_has(list, registry_family(f)->params[i].name))
				select_list_add(list, sizeof(list), registry_family(f)->params[i].name);
	}
	return error_set(err, "--set %s: no such parameter in the chosen families: choose from %s", setting, list);
}

static bool select_is_allowed(const struct param *param, int64_t value)
{
	const int64_t *allowed = param->allowed;

	while (allowed && *allowed != 0 && *allowed != value)
		allowed++;
	return !allowed || *allowed != 0;
}

static int value_not_allowed(
	const struct family *family, const struct param *param, const char *setting, struct error *err)
{
	char list[256] = "", number[32];

	for (const int64_t *allowed = param->allowed; *allowed != 0; allowed++) {
		snprintf(number, sizeof(number), "%" PRId64, *allowed);
		select_list_add(list, sizeof(list), number);
	}
	return error_set(err, "--set %s: %s of %s must be one of %s", setting, param->name, family->name, list);
}

static int check_setting(const struct record_options *options, const char *setting, struct error *err)
{
	bool known = false;
	int64_t value;

	if (!setting_value(setting, &value))
		return error_set(err, "--set %s: write NAME=VALUE with a whole number", setting);
	for (int f = 0; f < registry_count(); f++) {
		int i = select_family(options, registry_family(f)) ? param_of(registry_family(f), setting) : -1;
		const struct param *param = i < 0 ? NULL : &registry_family(f)->params[i];

		if (!param)
			continue;
		known = true;
		if (value < param->min || value > param->max)
			return error_set(err, "--set %s: %s of %s must be from %" PRId64 " to %" PRId64, setting,
				param->name, registry_family(f)->name, param->min, param->max);
		if (!select_is_allowed(param, value))
			return value_not_allowed(registry_family(f), param, setting, err);
	}
	return known ? 0 : unknown_param(options, setting, err);
}

/* Nothing is named, and all loaded families run on demand only. */
static int check_any(const struct record_options *options, struct error *err)
{
	char list[512] = "";

	for (int i = 0; i < registry_count(); i++) {
		if (select_family(options, registry_family(i)))
			return 0;
		if (registry_plugin(registry_family(i)))
			select_list_add(list, sizeof(list), registry_family(i)->name);
	}
	return error_set(
		err, "nothing is chosen: what was loaded is measured only when it is named: name one of %s", list);
}

/* A family may refuse a case that a setting makes, whatever the device. */
static int check_cases(const struct record_options *options, const struct family *family, struct error *err)
{
	int n = 0, result = 0;
	struct size_case *cases = select_cases(options, family, &n);

	for (int i = 0; i < n && result == 0; i++) {
		const char *reason = family->refused(&cases[i]);

		if (reason)
			result = error_set(err, "%s, case %s: %s", family->name, cases[i].label, reason);
	}
	free(cases);
	return result;
}

static int check_refused(const struct record_options *options, struct error *err)
{
	for (int f = 0; f < registry_count(); f++) {
		const struct family *family = registry_family(f);

		if (select_family(options, family) && family->refused && check_cases(options, family, err) < 0)
			return -1;
	}
	return 0;
}

static int check_once(const struct record_options *options, struct error *err)
{
	if (options->once && (options->passes != 1u << PASS_VERIFY || options->sweep))
		return error_set(err, "--once only checks results: it takes no %s",
			options->sweep ? "--sweep" : "--passes but verify");
	return 0;
}

int record_check(const struct record_options *options, struct error *err)
{
	if (check_once(options, err) < 0)
		return -1;
	for (int i = 0; i < options->nselection; i++)
		if (check_item(options->selection[i], err) < 0)
			return -1;
	if (check_any(options, err) < 0)
		return -1;
	for (int i = 0; i < options->nsettings; i++)
		if (check_setting(options, options->settings[i], err) < 0)
			return -1;
	return check_refused(options, err);
}
