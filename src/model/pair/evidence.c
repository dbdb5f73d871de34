/* evidence.c: see evidence.h. The checks as tables. */
#include "model/pair/evidence.h"

#include <math.h>

#include "model/pair/recording-checks.h"
#include "model/pair/sample-checks.h"
#include "model/pair/state-checks.h"
#include "tree/json.h"

static struct pair_finding nothing_found(void)
{
	return (struct pair_finding){.ok = OUTCOME_NOT_MEASURED, .figure = NAN, .limit = NAN, .facts = json_object()};
}

/* Adds what a check saw to `list`, unless it does not apply, and its name to `failed` if it did fail. Takes the facts.
 */
static void add_finding(
	json_t *list, json_t *failed, const char *name, const char *bound, const struct pair_finding *finding)
{
	json_t *entry = json_object();

	put_json(entry, "name", json_string(name));
	put_json(entry, "ok", flag_json(finding->ok));
	put_json(entry, "figure", real_json(finding->figure));
	put_json(entry, "limit", real_json(finding->limit));
	put_json(entry, "bound", text_json(bound));
	put_json(entry, "missing", text_json(finding->missing));
	put_json(entry, "facts", finding->facts);
	if (finding->ok == OUTCOME_NOT_APPLICABLE)
		json_decref(entry);
	else
		append_json(list, entry);
	if (finding->ok == OUTCOME_FAILED)
		append_json(failed, json_string(name));
}

json_t *shared_evidence_json(struct comparing *in)
{
	static const struct {
		const char *name;
		recording_check *run;
	} checks[] = {{"gpu", judge_gpu}, {"software", judge_software}, {"method", judge_method}};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct pair_finding finding = nothing_found();

		checks[i].run(in, &finding);
		add_finding(list, in->shared_failed, checks[i].name, "at most", &finding);
	}
	in->comparable = json_array_size(in->shared_failed) == 0;
	return list;
}

json_t *pair_evidence_json(const struct compared *compared, json_t *failed)
{
	static const struct {
		const char *name, *bound; /* how the limit bounds the figure; NULL if there is no limit */
		pair_check *run;
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

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct pair_finding finding = nothing_found();

		checks[i].run(compared, &finding);
		add_finding(list, failed, checks[i].name, checks[i].bound, &finding);
	}
	return list;
}
