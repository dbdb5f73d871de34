/* advice.c: the list of kernels that were judged: see advice.h. */
#include "model/advice/advice.h"

#include <math.h>
#include <string.h>

#include "analyze/advise/advise.h"
#include "model/advice/advice-parts.h"
#include "model/family/family-rows.h"
#include "model/family/variant.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"

/* Rows of a table whose first columns are family and case. */
static struct rows advice_rows(const struct family_rows *f, enum table_id table, const char *label)
{
	const char *const key[] = {f->name, label};

	return rows_find(&f->model->table[table], 2, key);
}

/* ---- gains ---- */

static json_t *advised_gain_json(const struct rows *rows, size_t i)
{
	static const struct field fields[] = {{"stages", ADVICEGAIN_stages}, {"low", ADVICEGAIN_low},
		{"mid", ADVICEGAIN_mid}, {"high", ADVICEGAIN_high}};
	json_t *object = json_object();

	put_fields(object, rows, i, fields, sizeof(fields) / sizeof(fields[0]));
	return object;
}

/* The list for the way that tiles come now, and another way's gain or null. */
static void put_advised_gains(json_t *object, const struct rows *rows)
{
	json_t *list = json_array();

	put_json(object, "by_copies", json_null());
	put_json(object, "by_registers", json_null());
	for (size_t i = 0; i < rows->count; i++) {
		const char *way = row_string(rows, i, ADVICEGAIN_way);

		if (strcmp(way, "stages") == 0 && json_array_size(list) < ADVISE_GAINS)
			append_json(list, advised_gain_json(rows, i));
		else if (strcmp(way, "copies") == 0)
			put_json(object, "by_copies", advised_gain_json(rows, i));
		else if (strcmp(way, "registers") == 0)
			put_json(object, "by_registers", advised_gain_json(rows, i));
	}
	put_json(object, "gain", list);
}

/* ---- causes ---- */

static json_t *evidence_of_advice(const struct rows *rows, int64_t cause)
{
	static const struct field fields[] = {
		{"metric", ADVICEEVIDENCE_metric}, {"value", ADVICEEVIDENCE_value}, {"unit", ADVICEEVIDENCE_unit}};
	json_t *list = json_array();

	for (size_t i = 0; i < rows->count && json_array_size(list) < ADVISE_EVIDENCE_MOST; i++) {
		json_t *object;

		if (row_int(rows, i, ADVICEEVIDENCE_cause) != cause)
			continue;
		object = json_object();
		put_fields(object, rows, i, fields, sizeof(fields) / sizeof(fields[0]));
		append_json(list, object);
	}
	return list;
}

static json_t *advice_causes_json(const struct family_rows *f, const char *label)
{
	static const struct field fields[] = {{"id", ADVICECAUSE_id}, {"ns", ADVICECAUSE_ns},
		{"low_ns", ADVICECAUSE_low}, {"high_ns", ADVICECAUSE_high}};
	struct rows causes = advice_rows(f, TABLE_ADVICECAUSE, label);
	struct rows evidence = advice_rows(f, TABLE_ADVICEEVIDENCE, label);
	json_t *list = json_array();

	for (size_t i = 0; i < causes.count && i < ADVISE_CAUSES_MOST; i++) {
		json_t *object = json_object();

		put_fields(object, &causes, i, fields, sizeof(fields) / sizeof(fields[0]));
		put_json(object, "evidence", evidence_of_advice(&evidence, row_int(&causes, i, ADVICECAUSE_ord)));
		append_json(list, object);
	}
	return list;
}

/* ---- what to do ---- */

static json_t *gain_with(const json_t *object, int64_t stages)
{
	const json_t *gains = json_object_get(object, "gain");

	for (size_t i = 0; i < json_array_size(gains); i++)
		if (json_integer_value(json_object_get(json_array_get(gains, i), "stages")) == stages)
			return json_array_get(gains, i);
	return NULL;
}

/* Loading ahead is the smaller change: it is what to do if nothing else gains more. */
static bool loading_ahead_is_best(const json_t *object, int64_t stages)
{
	const json_t *gain = json_object_get(object, "by_registers"), *other = gain_with(object, stages);

	return json_is_object(gain) &&
	       !(json_number_value(json_object_get(other, "mid")) > json_number_value(json_object_get(gain, "mid")));
}

/* Where tiles come through registers, stages are asynchronous copies; of Triton's loops their number makes them so. */
static const char *action_word(const json_t *object, const struct rows *rows, size_t i)
{
	const char *verdict = row_string(rows, i, ADVICE_verdict);
	int64_t now = row_int(rows, i, ADVICE_now), stages = row_int(rows, i, ADVICE_stages);
	bool triton = row_int(rows, i, ADVICE_isTriton) != 0;

	if (strcmp(verdict, "pays") != 0)
		return strcmp(verdict, "too-close") == 0  ? "try"
		       : strcmp(verdict, "does-not") == 0 ? "none"
							  : "unknown";
	if (!triton && loading_ahead_is_best(object, stages))
		return "load-ahead";
	if (!triton && json_is_object(json_object_get(object, "by_copies")))
		return "asynchronous-copies";
	return now > 0 && stages < now ? "fewer-stages" : "more-stages";
}

static json_t *action_json(const json_t *object, const struct rows *rows, size_t i)
{
	static const struct field fields[] = {{"stages", ADVICE_stages}, {"file", ADVICE_file}, {"line", ADVICE_line}};
	json_t *action = json_object();

	put_json(action, "id", json_string(action_word(object, rows, i)));
	put_fields(action, rows, i, fields, sizeof(fields) / sizeof(fields[0]));
	return action;
}

/* ---- what the verdict is about ---- */

/* Of other numbers of stages than the one as it runs; NULL if none is known. */
static json_t *best_other_gain(const json_t *object, int64_t now)
{
	const json_t *gains = json_object_get(object, "gain");
	json_t *best = NULL;

	for (size_t i = 0; i < json_array_size(gains); i++) {
		json_t *gain = json_array_get(gains, i);

		if (json_integer_value(json_object_get(gain, "stages")) == now ||
			!json_is_number(json_object_get(gain, "mid")))
			continue;
		if (!best || json_number_value(json_object_get(gain, "mid")) >
				     json_number_value(json_object_get(best, "mid")))
			best = gain;
	}
	return best;
}

/* The gain of what is advised; where nothing is, the best that another number of stages could do. */
static json_t *best_json(const json_t *object, const struct rows *rows, size_t i)
{
	const char *action = json_string_value(json_object_get(json_object_get(object, "action"), "id"));
	json_t *best = NULL;

	if (strcmp(action, "load-ahead") == 0)
		best = json_object_get(object, "by_registers");
	else if (strcmp(row_string(rows, i, ADVICE_verdict), "pays") == 0)
		best = gain_with(object, row_int(rows, i, ADVICE_stages));
	if (!best)
		best = best_other_gain(object, row_int(rows, i, ADVICE_now));
	return best ? json_incref(best) : json_null();
}

/* Whether the interval holds the opposite of the verdict: no gain of what pays, or a gain that nobody would leave of
 * what does not. */
static bool is_probable(const json_t *object, const char *verdict)
{
	const json_t *best = json_object_get(object, "best");

	if (!json_is_number(json_object_get(best, "low")))
		return false;
	if (strcmp(verdict, "pays") == 0)
		return json_number_value(json_object_get(best, "low")) <= 0;
	return strcmp(verdict, "does-not") == 0 && json_number_value(json_object_get(best, "high")) >= left_gain;
}

/* ---- a kernel ---- */

/* What the traced runs say of it. */
static void put_match(json_t *object, const struct family_rows *f, const char *label)
{
	static const struct field fields[] = {{"kernel", MATCH_shortName}, {"name", MATCH_name}, {"share", MATCH_share},
		{"ns", MATCH_ns}, {"launches", MATCH_launches}, {"codes", MATCH_codes}};
	const char *const key[] = {f->name, f->single};
	struct rows rows = rows_find(&f->model->table[TABLE_MATCH], 2, key);
	ssize_t at = rows_with(&rows, MATCH_caseLabel, label);

	if (at >= 0)
		put_fields(object, &rows, (size_t)at, fields, sizeof(fields) / sizeof(fields[0]));
	for (size_t i = 0; at < 0 && i < sizeof(fields) / sizeof(fields[0]); i++)
		put_json(object, fields[i].key, json_null());
}

/* So many kernels have their code, and samples by instruction and line; of the others that would make too long a file.
 */
enum { ADVISED_IN_FULL = 10, ADVISED_MOST = 64 /* as --kernels */ };

/* Counters, samples and resources, as a variant's case has them; null where the recording lacks the case. */
static json_t *advised_case_json(const struct family_rows *f, const char *label)
{
	for (size_t i = 0; i < f->cases.count && f->variants.count > 0; i++) {
		const struct measured *m = measured_at(f, 0) + i;

		if (strcmp(row_string(&f->cases, i, CASE_label), label) == 0)
			return variant_case_json(f->model, m, NULL, NAN);
	}
	return json_null();
}

/* Of samples the reasons stay. */
static void drop_places(json_t *measured)
{
	json_t *stalls = json_object_get(measured, "stalls");

	if (!json_is_object(stalls))
		return;
	put_json(stalls, "lines", json_array());
	put_json(stalls, "offsets", json_array());
}

/* Why a kernel was not counted, or sampled, or not wholly. */
static json_t *unmeasured_reason_json(const struct family_rows *f, enum table_id table, int column, const char *label)
{
	const char *const key[] = {f->name, f->single, label};
	struct rows rows = rows_find(&f->model->table[table], 3, key);

	return text_json(rows.count > 0 ? row_text(&rows, 0, column) : NULL);
}

static json_t *advice_json_of(const struct family_rows *f, const struct rows *rows, size_t i)
{
	static const struct field fields[] = {{"case", ADVICE_caseLabel}, {"launch_ns", ADVICE_launchNs},
		{"verdict", ADVICE_verdict}, {"stages", ADVICE_stages}, {"lacking", ADVICE_lacking}};
	const char *label = row_string(rows, i, ADVICE_caseLabel);
	struct rows gains = advice_rows(f, TABLE_ADVICEGAIN, label);
	json_t *object = json_object();

	put_match(object, f, label);
	put_fields(object, rows, i, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "triton", json_boolean(row_int(rows, i, ADVICE_isTriton) != 0));
	put_json(object, "now", advice_now_json(f, rows, i));
	put_advised_gains(object, &gains);
	put_json(object, "causes", advice_causes_json(f, label));
	put_json(object, "action", action_json(object, rows, i));
	put_json(object, "best", best_json(object, rows, i));
	put_json(object, "probable", json_boolean(is_probable(object, row_string(rows, i, ADVICE_verdict))));
	put_json(object, "not_counted", unmeasured_reason_json(f, TABLE_COUNTERRUN, COUNTERRUN_reason, label));
	put_json(object, "not_sampled", unmeasured_reason_json(f, TABLE_STALLRUN, STALLRUN_reason, label));
	put_json(object, "measured", advised_case_json(f, label));
	put_json(object, "code", i < ADVISED_IN_FULL ? advice_code_json(f, label) : json_null());
	if (i >= ADVISED_IN_FULL)
		drop_places(json_object_get(object, "measured"));
	return object;
}

void advice_put(json_t *tree, const struct model *model)
{
	struct rows families = rows_all(&model->table[TABLE_FAMILY]);
	json_t *list = json_null(), *advised = json_null();

	for (size_t i = 0; i < families.count && json_is_null(list); i++) {
		struct family_rows f;
		struct rows rows;

		if (!is_of_advice(&families, i))
			continue;
		family_measure(model, &families, i, &f);
		rows = advice_rows_of_family(&f);
		list = json_array();
		for (size_t k = 0; k < rows.count && k < ADVISED_MOST; k++)
			append_json(list, advice_json_of(&f, &rows, k));
		advised = advised_json(&f, list);
		family_free(&f);
	}
	/* Other recordings lack them. */
	if (json_is_array(list)) {
		put_json(tree, "advice", json_incref(list));
		put_json(tree, "advised", json_incref(advised));
	}
	json_decref(list);
	json_decref(advised);
}
