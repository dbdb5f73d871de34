/* evidence.c: the checks that a comparison's verdict has to pass, as tables; each says what it saw. */
#include "model/pair/evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/json.h"

enum { RUNS_NEEDED = 2 };

/* ---- of one comparison ---- */

static size_t count_right(const struct rows *verify)
{
	size_t right = 0;

	for (size_t i = 0; i < verify->count; i++)
		right += row_int(verify, i, VERIFY_wrong) == 0;
	return right;
}

static void judge_results(const struct compared *c, struct finding *out)
{
	const struct rows *base = &c->side[SIDE_BASE].m.verify, *fresh = &c->side[SIDE_NEW].m.verify;
	size_t base_right = count_right(base), fresh_right = count_right(fresh);
	size_t wrong = base->count - base_right + fresh->count - fresh_right;

	out->ok = wrong == 0 && base->count && fresh->count;
	out->limit = 0;
	if (wrong == 0 && !out->ok) {
		/* A time of something that may be wrong is worth nothing. */
		snprintf(out->text, TEXT_SIZE, "not verified in %s: record again with the verify pass",
			base->count ? side_name(SIDE_NEW) : side_name(SIDE_BASE));
		snprintf(out->brief, BRIEF_SIZE, "the results were not verified");
		return;
	}
	out->figure = (double)wrong;
	snprintf(out->text, TEXT_SIZE, "right in %zu of %zu runs in base and %zu of %zu in new, all cases together",
		base_right, base->count, fresh_right, fresh->count);
	snprintf(out->brief, BRIEF_SIZE, "%zu of %zu results are wrong", wrong, base->count + fresh->count);
}

static void judge_samples(const struct compared *c, struct finding *out)
{
	size_t base = c->side[SIDE_BASE].nblocks, fresh = c->side[SIDE_NEW].nblocks;

	if (lacks_times(c, out))
		return;
	out->figure = (double)(base < fresh ? base : fresh);
	out->limit = BLOCKS_NEEDED;
	out->ok = out->figure >= out->limit;
	snprintf(out->text, TEXT_SIZE, "%zu blocks in base, %zu in new; %d are needed in each", base, fresh,
		BLOCKS_NEEDED);
	snprintf(out->brief, BRIEF_SIZE, "%.0f blocks of samples, %d are needed", out->figure, BLOCKS_NEEDED);
}

bool lacks_runs(const struct compared *c)
{
	const struct timing *base = &c->side[SIDE_BASE], *fresh = &c->side[SIDE_NEW];

	return base->m.n && fresh->m.n && base->nruns < RUNS_NEEDED && fresh->nruns < RUNS_NEEDED;
}

static void judge_runs(const struct compared *c, struct finding *out)
{
	size_t base = c->side[SIDE_BASE].nruns, fresh = c->side[SIDE_NEW].nruns;

	if (lacks_times(c, out))
		return;
	out->figure = (double)(base > fresh ? base : fresh);
	out->limit = RUNS_NEEDED;
	out->ok = !lacks_runs(c);
	snprintf(out->text, TEXT_SIZE, "%zu run%s in base, %zu in new%s", base, base == 1 ? "" : "s", fresh,
		out->ok ? "; the interval holds what they differ by"
			: ": how much runs of one code differ is not known");
	snprintf(out->brief, BRIEF_SIZE, "too few runs");
}

/* How many parameters of `a` are not in `b`, or not with that value; the first goes into `text`, if it is empty. With
 * `names_only`, those that are not in `b` alone. One that is not there is not set, which is what 0 means where it is.
 */
static size_t params_differ(
	const struct rows *a, const char *in_a, const struct rows *b, const char *in_b, bool names_only, char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < a->count; i++) {
		const char *name = row_string(a, i, PARAM_name);
		long long value = row_int(a, i, PARAM_value);
		ssize_t k = find_row(b, PARAM_name, name);

		if (k < 0 && value == 0)
			continue;
		if (k >= 0 && (names_only || row_int(b, (size_t)k, PARAM_value) == value))
			continue;
		n++;
		if (text[0])
			continue;
		if (k < 0)
			snprintf(text, TEXT_SIZE, "%.80s is %lld in %s and not there in %s", name, value, in_a, in_b);
		else
			snprintf(text, TEXT_SIZE, "%.80s is %lld in %s, %lld in %s", name, value, in_a,
				(long long)row_int(b, (size_t)k, PARAM_value), in_b);
	}
	return n;
}

static void judge_parameters(const struct compared *c, struct finding *out)
{
	const char *const key[] = {c->family, c->label};
	struct rows base = rows_find(&c->in->side[SIDE_BASE].table[TABLE_PARAM], 2, key);
	struct rows fresh = rows_find(&c->in->side[SIDE_NEW].table[TABLE_PARAM], 2, key);
	const char *in_base = side_name(SIDE_BASE), *in_new = side_name(SIDE_NEW);
	size_t n = params_differ(&base, in_base, &fresh, in_new, false, out->text);

	n += params_differ(&fresh, in_new, &base, in_base, true, out->text);
	if (base.count + fresh.count == 0) {
		not_measured(out, "the case has no parameters");
		return;
	}
	out->figure = (double)n;
	out->limit = 0;
	out->ok = n == 0;
	snprintf(out->brief, BRIEF_SIZE, "%zu parameter%s", n, n == 1 ? " differs" : "s differ");
	if (out->ok && base.count == fresh.count)
		snprintf(out->text, TEXT_SIZE, "all %zu are the same", base.count);
	else if (out->ok)
		snprintf(out->text, TEXT_SIZE, "the same: %zu in base, %zu in new, and what only one has is 0",
			base.count, fresh.count);
}

/* ---- both as lists ---- */

static struct finding nothing_found(void)
{
	return (struct finding){.ok = CHECK_NOT_MEASURED, .figure = NAN, .limit = NAN};
}

/* Adds what a check saw to `list`, and its name to `failed` if it did; nothing, if the check does not apply. */
static int add_finding(json_t *list, json_t *failed, const char *name, const char *bound, const struct finding *finding)
{
	json_t *entry;
	int bad;

	if (finding->ok == CHECK_DOES_NOT_APPLY)
		return 0;
	entry = json_object();
	bad = put_json(entry, "name", json_string(name));
	bad |= put_json(entry, "ok", flag_json(finding->ok));
	bad |= put_json(entry, "figure", real_json(finding->figure));
	bad |= put_json(entry, "limit", real_json(finding->limit));
	bad |= put_json(entry, "bound", text_json(bound));
	bad |= put_json(entry, "text", text_json(finding->text));
	bad |= put_json(entry, "failure", text_json(finding->ok == CHECK_FAILED ? finding->brief : NULL));
	bad = append_json(list, built_json(entry, bad));
	if (finding->ok == CHECK_FAILED)
		bad |= append_json(failed, json_string(name));
	return bad;
}

json_t *shared_evidence_json(struct comparing *in)
{
	static const struct {
		const char *name;
		shared_judge *run;
	} checks[] = {{"gpu", judge_gpu}, {"software", judge_software}, {"method", judge_method}};
	json_t *list = json_array();
	int bad = 0;

	in->comparable = true;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct finding finding = nothing_found();

		checks[i].run(in, &finding);
		in->comparable = in->comparable && finding.ok != CHECK_FAILED;
		bad |= add_finding(list, in->shared_failed, checks[i].name, "at most", &finding);
	}
	return built_json(list, bad);
}

json_t *pair_evidence_json(const struct compared *compared, json_t *failed)
{
	static const struct {
		const char *name, *bound; /* how the limit bounds the figure; NULL if there is no limit */
		pair_judge *run;
	} checks[] = {
		{"results", "at most", judge_results},
		{"parameters", "at most", judge_parameters},
		{"samples", "at least", judge_samples},
		{"runs", "at least", judge_runs},
		{"clock", "at most", judge_clock},
		{"cycles", NULL, judge_cycles},
		{"throttling", "at most", judge_throttling},
		{"neighbours", "at most", judge_neighbours},
	};
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct finding finding = nothing_found();

		checks[i].run(compared, &finding);
		bad |= add_finding(list, failed, checks[i].name, checks[i].bound, &finding);
	}
	return built_json(list, bad);
}
