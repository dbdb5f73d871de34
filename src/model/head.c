/* head.c: the head of a recording's tree: versions, how the passes went, what had to be said. */
#include "model/head.h"

#include <stdio.h>

#include "model/family/variant.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/trace/notes.h"
#include "store/store.h"
#include "tree/json.h"

json_t *created_json(const struct model *model)
{
	const char *created = store_meta(model->store, "created");
	struct rows session = rows_all(&model->table[TABLE_SESSION]);

	if (created)
		return text_json(created);
	return session.count ? row_json(&session, 0, SESSION_utcTime) : json_null();
}

json_t *versions_json(const struct model *model)
{
	/* Keys of the tree and of DBPROF_META. */
	static const struct {
		const char *key, *meta;
	} versions[] = {
		{"dbprof", "dbprof"},
		{"cuda_runtime", "cuda_runtime"},
		{"cuda_driver", "cuda_driver"},
		{"driver", "driver"},
		{"cupti", "cupti"},
	};
	json_t *object = json_object();
	int bad = 0;

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		bad |= put_json(object, versions[i].key, text_json(store_meta(model->store, versions[i].meta)));
	return built_json(object, bad);
}

static json_t *pass_json(const struct rows *rows, size_t i)
{
	static const struct field fields[] = {
		{"family", PASS_family},
		{"pass", PASS_pass},
		{"status", PASS_status},
		{"reason", PASS_reason},
	};
	json_t *pass = json_object();
	bool timed = !row_null(rows, i, PASS_start) && !row_null(rows, i, PASS_end);
	int64_t start = row_int(rows, i, PASS_start), end = row_int(rows, i, PASS_end), length;
	/* Any file's times: the difference need not fit. */
	double seconds = __builtin_sub_overflow(end, start, &length) ? ((double)end - (double)start) / 1e9
								     : (double)length / 1e9;
	int bad = put_fields(pass, rows, i, fields, sizeof(fields) / sizeof(fields[0]));

	bad |= put_json(pass, "seconds", timed ? real_json(seconds) : json_null());
	return built_json(pass, bad);
}

json_t *passes_json(const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_PASS]);
	json_t *passes = json_array();
	int bad = 0;

	for (size_t i = 0; i < rows.count; i++)
		bad |= append_json(passes, pass_json(&rows, i));
	return built_json(passes, bad);
}

static int head_add(json_t *list, const char *severity, const char *text)
{
	json_t *diagnostic = json_object();
	int bad =
		put_json(diagnostic, "severity", json_string(severity)) | put_json(diagnostic, "text", text_json(text));

	return append_json(list, built_json(diagnostic, bad));
}

static const char *severity_name(int64_t severity)
{
	return severity == 3 ? "error" : severity == 2 ? "warning" : "info";
}

static int add_recorded(json_t *list, const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_DIAGNOSTIC]);
	int bad = 0;

	for (size_t i = 0; i < rows.count; i++)
		bad |= head_add(list, severity_name(row_int(&rows, i, DIAGNOSTIC_severity)),
			row_text(&rows, i, DIAGNOSTIC_text));
	return bad;
}

/* Where the profiler's records and the host's counts differ. */
static int add_reconciliation(json_t *list, const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_COUNT]);
	int bad = 0;

	for (size_t i = 0; i < rows.count; i++) {
		const char *family = row_text(&rows, i, COUNT_family), *variant = row_text(&rows, i, COUNT_variant);
		const char *label = row_text(&rows, i, COUNT_caseLabel), *what = row_text(&rows, i, COUNT_what);
		char text[512];

		if (count_agrees(&rows, i))
			continue;
		snprintf(text, sizeof(text),
			"%s/%s, case %s: the host counted %s%lld %s, the profiler recorded %lld: do not "
			"trust this trace",
			family ? family : "?", variant ? variant : "?", label ? label : "?",
			row_int(&rows, i, COUNT_lowerBound) ? "at least " : "",
			(long long)row_int(&rows, i, COUNT_host), what ? what : "events",
			(long long)row_int(&rows, i, COUNT_recorded));
		bad |= head_add(list, "error", text);
	}
	return bad;
}

static int add_texts(json_t *list, const json_t *texts)
{
	int bad = 0;

	for (size_t i = 0; i < json_array_size(texts); i++)
		bad |= head_add(list, "warning", json_string_value(json_array_get(texts, i)));
	return bad;
}

static int add_trace_notes(json_t *list, const struct model *model)
{
	json_t *notes = trace_notes(&model->trace);
	int bad = !notes || add_texts(list, notes);

	json_decref(notes);
	return bad;
}

json_t *diagnostics_json(const struct model *model)
{
	json_t *list = json_array();
	int bad = add_recorded(list, model);

	bad |= add_reconciliation(list, model);
	bad |= add_trace_notes(list, model);
	bad |= add_texts(list, model->notes);
	return built_json(list, bad);
}
