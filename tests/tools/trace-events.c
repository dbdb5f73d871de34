/*
 * trace-events.c: checks a file against the trace-event format as viewers understand it, knowing nothing of how it was
 * made, and its device work, calls and ranges against the recording, by SQL of its own. usage: trace-events TRACE
 * RECORDING. Says what is wrong on standard output, with status 1; else how much there is of what.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slice {
	json_int_t pid, tid;
	int64_t start, end;
	size_t at; /* in the file */
};

/* An end of an arrow, or of an asynchronous event. */
struct tie {
	char id[64], phase;
	json_int_t pid, tid;
	int64_t time;
};

static struct slice *slices;
static struct tie *ties;
static size_t nslices, nties;
static json_t *names; /* "pid" and "pid/tid" that metadata name */
static int faults;

static void fault(size_t at, const char *what)
{
	faults++;
	if (faults <= 20)
		printf("event %zu: %s\n", at, what);
}

/* Microseconds with at most three decimals: whole nanoseconds. */
static int64_t time_of(const json_t *event, const char *key, size_t at)
{
	const json_t *value = json_object_get(event, key);
	double ns = json_number_value(value) * 1000;

	if (!json_is_number(value))
		fault(at, "no time where there must be one");
	if (fabs(ns - nearbyint(ns)) > 0.01)
		fault(at, "a time is not in whole nanoseconds");
	return (int64_t)nearbyint(ns);
}

static json_int_t number_of(const json_t *event, const char *key, size_t at)
{
	const json_t *value = json_object_get(event, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > UINT32_MAX)
		fault(at, "pid or tid is no number of 32 bits");
	return json_integer_value(value);
}

static const char *text_of(const json_t *event, const char *key, size_t at)
{
	const char *text = json_string_value(json_object_get(event, key));

	if (!text)
		fault(at, "a text is missing");
	return text ? text : "";
}

/* ---- one event ---- */

static void metadata(const json_t *event, size_t at)
{
	const char *name = text_of(event, "name", at);
	const json_t *args = json_object_get(event, "args");
	char key[64];

	if (strcmp(name, "process_sort_index") == 0 || strcmp(name, "thread_sort_index") == 0) {
		if (!json_is_integer(json_object_get(args, "sort_index")))
			fault(at, "a sort_index is no integer");
		return;
	}
	if (strcmp(name, "process_name") == 0)
		snprintf(key, sizeof(key), "%" JSON_INTEGER_FORMAT, number_of(event, "pid", at));
	else if (strcmp(name, "thread_name") == 0)
		snprintf(key, sizeof(key), "%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT,
			number_of(event, "pid", at), number_of(event, "tid", at));
	else
		fault(at, "metadata of an unknown name");
	if (json_object_get(names, key))
		fault(at, "named twice");
	if (!*text_of(args, "name", at))
		fault(at, "an empty name");
	json_object_set_new(names, key, json_true());
}

static void slice(const json_t *event, size_t at)
{
	int64_t start = time_of(event, "ts", at), dur = time_of(event, "dur", at);

	text_of(event, "name", at);
	if (dur < 0)
		fault(at, "a negative duration");
	slices[nslices++] =
		(struct slice){number_of(event, "pid", at), number_of(event, "tid", at), start, start + dur, at};
}

/* Arrows and asynchronous events of one id have one name and category. */
static void tie(const json_t *event, char phase, size_t at)
{
	const json_t *id = json_object_get(event, "id");
	struct tie *one = &ties[nties++];

	*one = (struct tie){.phase = phase,
		.pid = number_of(event, "pid", at),
		.tid = number_of(event, "tid", at),
		.time = time_of(event, "ts", at)};
	text_of(event, "name", at);
	text_of(event, "cat", at);
	if (json_is_integer(id))
		snprintf(one->id, sizeof(one->id), "flow %" JSON_INTEGER_FORMAT, json_integer_value(id));
	else
		snprintf(one->id, sizeof(one->id), "async %s", text_of(event, "id", at));
	if (phase == 'f' && strcmp(text_of(event, "bp", at), "e") != 0)
		fault(at, "the end of an arrow does not bind to the slice around it");
}

static void counter(const json_t *event, size_t at)
{
	json_t *args = json_object_get(event, "args"), *value;
	const char *key;

	text_of(event, "name", at);
	time_of(event, "ts", at);
	if (json_object_size(args) == 0)
		fault(at, "a counter without a value");
	json_object_foreach(args, key, value)
	{
		if (!json_is_number(value))
			fault(at, "a counter's value is no number");
	}
}

static void check_named(const json_t *event, size_t at)
{
	char key[64];

	snprintf(key, sizeof(key), "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(event, "pid")));
	if (!json_object_get(names, key))
		fault(at, "its process has no name before it");
	if (!json_object_get(event, "tid"))
		return;
	snprintf(key + strlen(key), sizeof(key) - strlen(key), "/%" JSON_INTEGER_FORMAT,
		json_integer_value(json_object_get(event, "tid")));
	if (!json_object_get(names, key))
		fault(at, "its thread has no name before it");
}

static void check_event(const json_t *event, size_t at)
{
	char phase = *text_of(event, "ph", at);

	if (phase == 'M') {
		metadata(event, at);
		return;
	}
	check_named(event, at);
	if (phase == 'X')
		slice(event, at);
	else if (phase == 's' || phase == 'f' || phase == 'b' || phase == 'e')
		tie(event, phase, at);
	else if (phase == 'C')
		counter(event, at);
	else if (phase != 'i' || !strchr("tpg", *text_of(event, "s", at)))
		fault(at, "an unknown phase or scope");
	else
		time_of(event, "ts", at);
}

/* ---- all events together ---- */

static int by_lane(const void *left, const void *right)
{
	const struct slice *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* In the order of the file, the slices of a lane begin one after the other and lie in or behind each other. */
static void check_nesting(void)
{
	int64_t *open = malloc((nslices + 1) * sizeof(*open));
	size_t depth = 0;

	qsort(slices, nslices, sizeof(*slices), by_lane);
	for (size_t i = 0; i < nslices && open; i++) {
		const struct slice *s = &slices[i];

		if (i == 0 || slices[i - 1].pid != s->pid || slices[i - 1].tid != s->tid)
			depth = 0;
		else if (slices[i - 1].start > s->start)
			fault(s->at, "it begins before the one before it in its lane");
		while (depth > 0 && open[depth - 1] <= s->start)
			depth--;
		if (depth > 0 && s->end > open[depth - 1])
			fault(s->at, "it overlaps a slice without lying in it");
		open[depth++] = s->end;
	}
	free(open);
}

static int by_tie(const void *left, const void *right)
{
	const struct tie *a = left, *b = right;
	int order = strcmp(a->id, b->id);

	/* s before f, b before e */
	return order ? order : strchr("sfbe", a->phase) < strchr("sfbe", b->phase) ? -1 : a->phase != b->phase;
}

/* A slice in whose time the end of an arrow lies. */
static int has_slice(const struct tie *one)
{
	size_t low = 0, high = nslices;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct slice *s = &slices[middle];

		if (s->pid < one->pid || (s->pid == one->pid && s->tid < one->tid) ||
			(s->pid == one->pid && s->tid == one->tid && s->start < one->time))
			low = middle + 1;
		else
			high = middle;
	}
	return low < nslices && slices[low].pid == one->pid && slices[low].tid == one->tid &&
	       slices[low].start == one->time;
}

static void check_ties(void)
{
	qsort(ties, nties, sizeof(*ties), by_tie);
	for (size_t i = 0, end; i < nties; i = end) {
		char first = ties[i].phase, last = first == 's' ? 'f' : 'e';

		for (end = i + 1; end < nties && strcmp(ties[end].id, ties[i].id) == 0; end++) {
			if (ties[end].phase != last)
				fault(i, "an id begins twice");
			if (last == 'e' && ties[end].time < ties[i].time)
				fault(i, "an asynchronous event ends before it begins");
		}
		if ((first != 's' && first != 'b') || end == i + 1)
			fault(i, "an arrow or an asynchronous event has one end only");
		if (first == 'b' && end > i + 2)
			fault(i, "an asynchronous event ends twice");
		for (size_t k = i; k < end && first == 's'; k++) {
			if (!has_slice(&ties[k]))
				fault(k, "an end of an arrow has no slice around it");
		}
	}
}

/* ---- against the recording ---- */

/* How many events of a category there are, slices and asynchronous ones, and how long they take together. */
static void measure(const json_t *events, const char *category, int64_t *n, int64_t *ns)
{
	size_t i;
	json_t *event;

	*n = *ns = 0;
	json_array_foreach(events, i, event)
	{
		char phase = *json_string_value(json_object_get(event, "ph"));
		const char *cat = json_string_value(json_object_get(event, "cat"));

		if (!cat || strcmp(cat, category) != 0)
			continue;
		*n += phase == 'X' || phase == 'b';
		if (phase == 'X')
			*ns += time_of(event, "dur", i);
		else if (phase == 'b' || phase == 'e')
			*ns += (phase == 'e' ? 1 : -1) * time_of(event, "ts", i);
	}
}

static void compare(sqlite3 *db, const json_t *events, const char *category, const char *table)
{
	int64_t n, ns, rows = 0, total = 0;
	sqlite3_stmt *stmt = NULL;
	char sql[256];

	measure(events, category, &n, &ns);
	snprintf(sql, sizeof(sql),
		"SELECT count(*), sum(\"end\" - start) FROM CUPTI_ACTIVITY_KIND_%s WHERE \"end\" >= start AND \"end\" "
		"> 0",
		table);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		rows = sqlite3_column_int64(stmt, 0);
		total = sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
	printf("%s %" PRId64 " %" PRId64 "\n", category, n, ns);
	if (n != rows || ns != total) {
		printf("the recording has %" PRId64 " rows of %s, %" PRId64 " ns\n", rows, table, total);
		faults++;
	}
}

static void check_recording(const json_t *events, const char *path)
{
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		printf("%s cannot be opened\n", path);
		faults++;
	} else {
		compare(db, events, "kernel", "KERNEL");
		compare(db, events, "memcpy", "MEMCPY");
		compare(db, events, "memset", "MEMSET");
		compare(db, events, "cuda_api", "RUNTIME");
		compare(db, events, "cuda_sync", "SYNCHRONIZATION");
	}
	sqlite3_close(db);
}

static void check(const json_t *root, const char *recording)
{
	const json_t *events = json_object_get(root, "traceEvents");
	size_t i, arrows = 0;
	json_t *event;

	if (!json_is_array(events) || strcmp(text_of(root, "displayTimeUnit", 0), "ns") != 0)
		fault(0, "no array of events, or no unit");
	json_array_foreach(events, i, event) check_event(event, i);
	check_nesting();
	check_ties();
	check_recording(events, recording);
	for (i = 0; i < nties; i++)
		arrows += ties[i].phase == 'f';
	printf("arrows %zu\n", arrows);
}

int main(int argc, char **argv)
{
	json_error_t err;
	json_t *root;
	size_t n;

	if (argc != 3) {
		fputs("Usage: trace-events TRACE RECORDING\n", stderr);
		return 2;
	}
	root = json_load_file(argv[1], JSON_REJECT_DUPLICATES, &err);
	if (!root) {
		printf("%s:%d: %s\n", argv[1], err.line, err.text);
		return 1;
	}
	n = json_array_size(json_object_get(root, "traceEvents")) + 1;
	slices = calloc(n, sizeof(*slices));
	ties = calloc(n, sizeof(*ties));
	names = json_object();
	if (!slices || !ties || !names)
		return 2;
	check(root, argv[2]);
	json_decref(names);
	json_decref(root);
	free(slices);
	free(ties);
	return faults > 0;
}
