/* head.c: see head.h. */
#include "model/head.h"

#include <stdbool.h>
#include <string.h>

#include "model/family/series.h"
#include "model/family/variant.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/trace/notes.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/clip.h"

enum { COUNT_TEXT = 512 };

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

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		put_json(object, versions[i].key, text_json(store_meta(model->store, versions[i].meta)));
	return object;
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
	/* A file may hold any times: their difference may be too large for an integer. */
	double seconds = __builtin_sub_overflow(end, start, &length) ? ((double)end - (double)start) / 1e9
								     : (double)length / 1e9;

	put_fields(pass, rows, i, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(pass, "seconds", timed ? real_json(seconds) : json_null());
	return pass;
}

json_t *passes_json(const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_PASS]);
	json_t *passes = json_array();

	for (size_t i = 0; i < rows.count; i++)
		append_json(passes, pass_json(&rows, i));
	return passes;
}

static const char *severity_name(int64_t severity)
{
	return severity == 3 ? "error" : severity == 2 ? "warning" : "info";
}

/* Whether a message of the trace pass says what a row of counts says itself: one fact is one error. */
static bool is_of_counts(const struct model *model, const char *text)
{
	struct rows counts = rows_all(&model->table[TABLE_COUNT]);
	char begin[COUNT_TEXT];

	for (size_t i = 0; text && i < counts.count; i++) {
		if (count_agrees(&counts, i))
			continue;
		clip_print(begin, sizeof(begin), "%s/%s, case %s: the host counted ",
			row_string(&counts, i, COUNT_family), row_string(&counts, i, COUNT_variant),
			row_string(&counts, i, COUNT_caseLabel));
		if (strncmp(text, begin, strlen(begin)) == 0)
			return true;
	}
	return false;
}

static void add_recorded(json_t *list, const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_DIAGNOSTIC]);

	for (size_t i = 0; i < rows.count; i++) {
		json_t *diagnostic;

		if (is_of_counts(model, row_text(&rows, i, DIAGNOSTIC_text)))
			continue;
		diagnostic = json_object();

		put_json(diagnostic, "severity", json_string(severity_name(row_int(&rows, i, DIAGNOSTIC_severity))));
		put_json(diagnostic, "text", text_json(row_text(&rows, i, DIAGNOSTIC_text)));
		append_json(list, diagnostic);
	}
}

/* A count of the host that the profiler's records contradict. */
static json_t *difference_json(const struct rows *rows, size_t i)
{
	json_t *diagnostic = json_object();

	put_json(diagnostic, "severity", json_string("error"));
	put_json(diagnostic, "id", json_string("counts-differ"));
	put_json(diagnostic, "family", text_json(row_text(rows, i, COUNT_family)));
	put_json(diagnostic, "variant", text_json(row_text(rows, i, COUNT_variant)));
	put_json(diagnostic, "case", text_json(row_text(rows, i, COUNT_caseLabel)));
	put_json(diagnostic, "what", text_json(row_text(rows, i, COUNT_what)));
	put_json(diagnostic, "host", json_integer(row_int(rows, i, COUNT_host)));
	put_json(diagnostic, "at_least", json_boolean(row_int(rows, i, COUNT_lowerBound) != 0));
	put_json(diagnostic, "recorded", json_integer(row_int(rows, i, COUNT_recorded)));
	return diagnostic;
}

static void add_differences(json_t *list, const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_COUNT]);

	for (size_t i = 0; i < rows.count; i++) {
		if (!count_agrees(&rows, i))
			append_json(list, difference_json(&rows, i));
	}
}

/* Samples that are no times: dbprof writes none. */
static void add_lacking_samples(json_t *list, const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_SAMPLE]);
	json_int_t n = 0;

	for (size_t i = 0; i < rows.count; i++)
		n += !is_time_of_sample(row_real(&rows, i, SAMPLE_ns));
	if (n > 0)
		append_json(list, json_pack("{s:s, s:s, s:I, s:I}", "severity", "warning", "id",
					  "samples-without-times", "samples", n, "of", (json_int_t)rows.count));
}

json_t *diagnostics_json(const struct model *model)
{
	json_t *list = json_array();

	add_recorded(list, model);
	add_differences(list, model);
	add_lacking_samples(list, model);
	trace_notes(&model->trace, list);
	json_array_extend(list, model->notes);
	return list;
}
