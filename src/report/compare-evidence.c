/* compare-evidence.c: the checks that a comparison's verdict has to pass, as tables; each says what it saw. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/compare-model.h"

enum { BLOCKS_NEEDED = 12, RUNS_NEEDED = 2, TEXT_SIZE = 512 };

/* Clocks further apart than this share make times incomparable. */
static const double clock_tolerance = 0.02;

/* ---- of the recordings as wholes: 1 passed, 0 failed, -1 not known ---- */

/* Adds "WHAT A in base, B in new" to `text` if the two differ. Of what is not known nothing can be said. */
static int differs(char *text, const char *what, const char *base, const char *fresh)
{
	size_t used = strlen(text);

	if (!base || !fresh)
		return -1;
	if (strcmp(base, fresh) == 0)
		return 1;
	snprintf(
		text + used, TEXT_SIZE - used, "%s%s %.80s in base, %.80s in new", used ? "; " : "", what, base, fresh);
	return 0;
}

/* Fails if one differs, passes if all are alike; -1 if one is not known. */
static int verdict_over(const int *outcomes, size_t n)
{
	int least = 1;

	for (size_t i = 0; i < n; i++) {
		if (outcomes[i] == 0)
			return 0;
		least = outcomes[i] < least ? outcomes[i] : least;
	}
	return least;
}

static const char *compute_capability(const struct rows *device, char *text, size_t size)
{
	if (device->count == 0 || row_null(device, 0, GPU_computeMajor))
		return NULL;
	snprintf(text, size, "%d.%d", (int)row_int(device, 0, GPU_computeMajor),
		(int)row_int(device, 0, GPU_computeMinor));
	return text;
}

static int check_gpu(const struct comparing *in, char *text)
{
	struct rows base = device_row(&in->side[SIDE_BASE]), fresh = device_row(&in->side[SIDE_NEW]);
	const char *name = base.count ? row_text(&base, 0, GPU_name) : NULL;
	char compute[SIDES][32];
	const char *capability = compute_capability(&base, compute[SIDE_BASE], sizeof(compute[0]));
	int outcomes[2];

	outcomes[0] = differs(text, "the GPU is", name, fresh.count ? row_text(&fresh, 0, GPU_name) : NULL);
	outcomes[1] = differs(text, "its compute capability is", capability,
		compute_capability(&fresh, compute[SIDE_NEW], sizeof(compute[0])));
	if (verdict_over(outcomes, 2) == 1)
		snprintf(text, TEXT_SIZE, "both on %.80s, compute capability %s", name, capability);
	return verdict_over(outcomes, 2);
}

static int check_software(const struct comparing *in, char *text)
{
	static const struct {
		const char *meta, *words;
	} versions[] = {
		{"driver", "the driver is"},
		{"cuda_driver", "the driver's CUDA is"},
		{"cuda_runtime", "the CUDA runtime is"},
	};
	enum { VERSIONS = sizeof(versions) / sizeof(versions[0]) };
	const struct store *base = in->side[SIDE_BASE].store, *fresh = in->side[SIDE_NEW].store;
	int outcomes[VERSIONS];

	for (size_t i = 0; i < VERSIONS; i++)
		outcomes[i] = differs(text, versions[i].words, store_meta(base, versions[i].meta),
			store_meta(fresh, versions[i].meta));
	if (verdict_over(outcomes, VERSIONS) == 1)
		snprintf(text, TEXT_SIZE, "driver %.80s and CUDA %.80s in both", store_meta(base, "driver"),
			store_meta(base, "cuda_runtime"));
	return verdict_over(outcomes, VERSIONS);
}

/* ---- of one comparison ---- */

static void count_right(const struct rows *verify, size_t *right)
{
	*right = 0;
	for (size_t i = 0; i < verify->count; i++)
		*right += row_int(verify, i, VERIFY_wrong) == 0;
}

static int check_results(const struct compared *c, char *text)
{
	const struct rows *base = &c->side[SIDE_BASE].verify, *fresh = &c->side[SIDE_NEW].verify;
	size_t base_right, fresh_right;

	count_right(base, &base_right);
	count_right(fresh, &fresh_right);
	snprintf(text, TEXT_SIZE, "right in %zu of %zu runs in base and %zu of %zu in new, all cases together",
		base_right, base->count, fresh_right, fresh->count);
	if (base_right < base->count || fresh_right < fresh->count)
		return 0;
	if (base->count && fresh->count)
		return 1;
	/* A time of something that may be wrong is worth nothing. */
	snprintf(text, TEXT_SIZE, "not verified in %s: record again with the verify pass",
		base->count ? side_name(SIDE_NEW) : side_name(SIDE_BASE));
	return 0;
}

static bool withheld(const struct compared *c)
{
	return c->side[SIDE_BASE].withheld || c->side[SIDE_NEW].withheld;
}

static int check_samples(const struct compared *c, char *text)
{
	size_t base = c->side[SIDE_BASE].nblocks, fresh = c->side[SIDE_NEW].nblocks;

	if (withheld(c)) {
		snprintf(text, TEXT_SIZE, "times of wrong results are left out");
		return -1;
	}
	snprintf(text, TEXT_SIZE, "%zu blocks in base, %zu in new; %d are needed", base, fresh, BLOCKS_NEEDED);
	return base >= BLOCKS_NEEDED && fresh >= BLOCKS_NEEDED;
}

bool lacks_runs(const struct compared *c)
{
	return !withheld(c) && c->side[SIDE_BASE].nruns < RUNS_NEEDED && c->side[SIDE_NEW].nruns < RUNS_NEEDED;
}

static int check_runs(const struct compared *c, char *text)
{
	size_t base = c->side[SIDE_BASE].nruns, fresh = c->side[SIDE_NEW].nruns;

	if (withheld(c)) {
		snprintf(text, TEXT_SIZE, "times of wrong results are left out");
		return -1;
	}
	if (lacks_runs(c))
		snprintf(text, TEXT_SIZE, "%zu run in base, %zu in new: how much runs of one code differ is not known",
			base, fresh);
	else
		snprintf(text, TEXT_SIZE, "%zu run%s in base, %zu in new; the interval holds what they differ by", base,
			base == 1 ? "" : "s", fresh);
	return !lacks_runs(c);
}

/* Two ways to know a clock; they are not mixed. */
static int check_clock(const struct compared *c, char *text)
{
	const struct timing *base = &c->side[SIDE_BASE], *fresh = &c->side[SIDE_NEW];
	bool measured = !isnan(base->measured_mhz) && !isnan(fresh->measured_mhz);
	double a = measured ? base->measured_mhz : base->reported_mhz;
	double b = measured ? fresh->measured_mhz : fresh->reported_mhz;

	if (isnan(a) || isnan(b)) {
		snprintf(text, TEXT_SIZE, "no SM clock was read beside the samples of one of the two");
		return -1;
	}
	snprintf(text, TEXT_SIZE,
		"median SM clock%s %.0f MHz in base, %.0f MHz in new; at most %.0f %% apart is allowed",
		measured ? " measured on the GPU" : "", a, b, clock_tolerance * 100);
	return fabs(a - b) <= clock_tolerance * fmax(a, b);
}

static int check_throttling(const struct compared *c, char *text)
{
	const struct timing *base = &c->side[SIDE_BASE], *fresh = &c->side[SIDE_NEW];

	snprintf(text, TEXT_SIZE, "%zu of %zu readings in base and %zu of %zu in new show power or thermal throttling",
		base->throttled, base->readings, fresh->throttled, fresh->readings);
	if (base->throttled || fresh->throttled)
		return 0;
	return base->readings && fresh->readings ? 1 : -1;
}

static int check_processes(const struct compared *c, char *text)
{
	size_t base = c->side[SIDE_BASE].processes, fresh = c->side[SIDE_NEW].processes;

	if (base > 1 || fresh > 1) {
		snprintf(text, TEXT_SIZE, "others computed on the GPU, too: %zu beside dbprof in base, %zu in new",
			base > 1 ? base - 1 : 0, fresh > 1 ? fresh - 1 : 0);
		return 0;
	}
	snprintf(text, TEXT_SIZE, "dbprof was alone on the GPU%s", base && fresh ? "" : ", as far as is known");
	return base && fresh ? 1 : -1;
}

/* The row of a parameter by name, or -1. */
static ssize_t find_param(const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (strcmp(row_string(rows, i, PARAM_name), name) == 0)
			return (ssize_t)i;
	}
	return -1;
}

/* The first parameter of `a` that `b` lacks or has with another value goes into `text`. */
static bool params_agree(const struct rows *a, const char *in_a, const struct rows *b, const char *in_b, char *text)
{
	for (size_t i = 0; i < a->count; i++) {
		const char *name = row_string(a, i, PARAM_name);
		long long value = row_int(a, i, PARAM_value);
		ssize_t k = find_param(b, name);

		if (k < 0)
			snprintf(text, TEXT_SIZE, "%.80s is %lld in %s and not there in %s", name, value, in_a, in_b);
		else if (row_int(b, (size_t)k, PARAM_value) != value)
			snprintf(text, TEXT_SIZE, "%.80s is %lld in %s, %lld in %s", name, value, in_a,
				(long long)row_int(b, (size_t)k, PARAM_value), in_b);
		else
			continue;
		return false;
	}
	return true;
}

static int check_parameters(const struct compared *c, char *text)
{
	const char *const key[] = {c->family, c->label};
	struct rows base = rows_find(&c->in->side[SIDE_BASE].table[TABLE_PARAM], 2, key);
	struct rows fresh = rows_find(&c->in->side[SIDE_NEW].table[TABLE_PARAM], 2, key);
	const char *in_base = side_name(SIDE_BASE), *in_new = side_name(SIDE_NEW);

	if (!params_agree(&base, in_base, &fresh, in_new, text) || !params_agree(&fresh, in_new, &base, in_base, text))
		return 0;
	if (base.count == 0) {
		snprintf(text, TEXT_SIZE, "no parameters were recorded");
		return -1;
	}
	snprintf(text, TEXT_SIZE, "all %zu are the same", base.count);
	return 1;
}

/* ---- both as lists ---- */

/* Adds the outcome of a check to `list`, and its name to `failed` if it did. */
static int add_check(json_t *list, json_t *failed, const char *name, int passed, const char *text)
{
	json_t *entry = json_object();
	int bad = put_json(entry, "name", json_string(name));

	bad |= put_json(entry, "ok", flag_json(passed));
	bad |= put_json(entry, "text", text_json(text[0] ? text : "one of the two recordings does not say"));
	bad = append_json(list, built_json(entry, bad));
	if (passed == 0)
		bad |= append_json(failed, json_string(name));
	return bad;
}

json_t *shared_evidence_json(struct comparing *in)
{
	static const struct {
		const char *name;
		int (*run)(const struct comparing *in, char *text);
	} checks[] = {{"gpu", check_gpu}, {"software", check_software}};
	json_t *list = json_array();
	int bad = 0;

	in->comparable = true;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		char text[TEXT_SIZE] = "";
		int passed = checks[i].run(in, text);

		in->comparable = in->comparable && passed != 0;
		bad |= add_check(list, in->shared_failed, checks[i].name, passed, text);
	}
	return built_json(list, bad);
}

json_t *pair_evidence_json(const struct compared *compared, json_t *failed)
{
	static const struct {
		const char *name;
		int (*run)(const struct compared *compared, char *text);
	} checks[] = {
		{"results", check_results},
		{"parameters", check_parameters},
		{"samples", check_samples},
		{"runs", check_runs},
		{"clock", check_clock},
		{"throttling", check_throttling},
		{"processes", check_processes},
	};
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		char text[TEXT_SIZE] = "";
		int passed = checks[i].run(compared, text);

		bad |= add_check(list, failed, checks[i].name, passed, text);
	}
	return built_json(list, bad);
}
