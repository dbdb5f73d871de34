/* pair-head.c: see pair-head.h. */
#include "model/pair/pair-head.h"

#include <stdio.h>

#include "model/device.h"
#include "model/head.h"
#include "tree/json.h"

static json_t *pair_recording_json(const struct model *model)
{
	json_t *object = json_object();

	put_json(object, "file", text_json(model->file));
	put_json(object, "created", created_json(model));
	put_json(object, "command", text_json(store_meta(model->store, "command")));
	put_json(object, "versions", versions_json(model));
	put_json(object, "device", device_json(model));
	return object;
}

/* ---- head ---- */

static const char *mode_name(enum pair_mode mode)
{
	static const char *const names[] = {
		[PAIR_TIMES] = "times",
		[PAIR_GAINS] = "gains",
		[PAIR_PROGRAMS] = "programs",
		[PAIR_NONE] = "same-recording",
	};

	return names[mode];
}

void pair_put_head(const struct comparing *in, json_t *tree)
{
	char generator[64];

	snprintf(generator, sizeof(generator), "dbprof %s", in->options->version);
	put_json(tree, "format", json_string("dbprof-compare"));
	put_json(tree, "schema", json_integer(1));
	put_json(tree, "generator", text_json(generator));
	put_json(tree, "mode", json_string(mode_name(in->mode)));
	put_json(tree, "threshold", json_real(in->options->threshold));
	put_json(tree, "base", pair_recording_json(&in->side[SIDE_BASE]));
	put_json(tree, "new", pair_recording_json(&in->side[SIDE_NEW]));
}

/* ---- summary ---- */

static json_t *summary_json(const struct comparing *in)
{
	static const enum verdict verdicts[] = {VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_UNCLEAR};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		put_json(object, verdict_name(verdicts[i]), json_integer((json_int_t)in->verdicts[verdicts[i]]));
	put_json(object, "one_process", json_integer((json_int_t)in->one_process));
	return object;
}

static void add_advice(json_t *list, const char *id, size_t comparisons)
{
	json_t *advice;

	if (comparisons == 0)
		return;
	advice = json_object();
	put_json(advice, "id", json_string(id));
	put_json(advice, "comparisons", json_integer((json_int_t)comparisons));
	append_json(list, advice);
}

/* What to do about comparisons that more runs could settle. */
static json_t *advice_json(const struct comparing *in)
{
	json_t *list = json_array();

	add_advice(list, "few-runs", in->few_runs);
	add_advice(list, "wide-interval", in->wide);
	add_advice(list, "one-run", in->mode == PAIR_PROGRAMS);
	return list;
}

void pair_put_summary(const struct comparing *in, json_t *tree)
{
	put_json(tree, "summary", summary_json(in));
	put_json(tree, "advice", advice_json(in));
}
