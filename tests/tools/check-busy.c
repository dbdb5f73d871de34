/*
 * check-busy.c: holds the busy times of a report against a calculation of its own, which shares neither code nor method
 * with src/: it sorts the beginnings and ends of all work of a GPU, and counts at every moment what is running.
 * usage: check-busy EXPORT report.json
 * Says which numbers differ, with status 1; else how many GPUs were compared.
 */
#include <inttypes.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN, OUT, KERNELS, OTHER, CLASSES };

/* A beginning or an end in one number, so that numbers sort by time: ns after `zero`, then the class, then which. */
#define EDGE(time, class, is_end) ((uint64_t)(time) << 3 | (uint64_t)(class) << 1 | (uint64_t)(is_end))

struct gpu {
	int64_t device;
	uint64_t *edges;
	size_t n, room;
};

struct times {
	int64_t span, in, out, kernel, all, overlap;
};

static struct gpu *gpus;
static size_t ngpus;
static int64_t zero;
static int faults;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "check-busy: %s\n", what);
	exit(2);
}

static sqlite3_stmt *query(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(db));
	return stmt;
}

static struct gpu *gpu_of(int64_t device)
{
	for (size_t i = 0; i < ngpus; i++)
		if (gpus[i].device == device)
			return &gpus[i];
	gpus = realloc(gpus, (ngpus + 1) * sizeof(*gpus));
	if (!gpus)
		fail("out of memory");
	gpus[ngpus] = (struct gpu){.device = device};
	return &gpus[ngpus++];
}

static void note(struct gpu *gpu, int64_t time, int class, bool is_end)
{
	if (gpu->n == gpu->room) {
		gpu->room = gpu->room == 0 ? 1024 : gpu->room + gpu->room / 2;
		gpu->edges = realloc(gpu->edges, gpu->room * sizeof(*gpu->edges));
		if (!gpu->edges)
			fail("out of memory");
	}
	gpu->edges[gpu->n++] = EDGE(time - zero, class, is_end);
}

static int class_of(sqlite3_stmt *row)
{
	const char *copy = (const char *)sqlite3_column_text(row, 3);

	if (!copy)
		return KERNELS;
	return strcmp(copy, "Host-to-Device") == 0 ? IN : strcmp(copy, "Device-to-Host") == 0 ? OUT : OTHER;
}

static void take_rows(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row = query(db, sql);

	while (sqlite3_step(row) == SQLITE_ROW) {
		int64_t start = sqlite3_column_int64(row, 1), end = sqlite3_column_int64(row, 2);
		struct gpu *gpu = gpu_of(sqlite3_column_int64(row, 0));
		int class = class_of(row);

		if (end <= start)
			continue;
		note(gpu, start, class, false);
		note(gpu, end, class, true);
	}
	sqlite3_finalize(row);
}

static void take_export(sqlite3 *db)
{
	sqlite3_stmt *first = query(db, "SELECT min((SELECT min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL), "
					"ifnull((SELECT min(start) FROM CUPTI_ACTIVITY_KIND_MEMCPY), 1 << 60))");

	if (sqlite3_step(first) == SQLITE_ROW)
		zero = sqlite3_column_int64(first, 0);
	sqlite3_finalize(first);
	take_rows(db, "SELECT deviceId, start, \"end\", NULL FROM CUPTI_ACTIVITY_KIND_KERNEL");
	take_rows(db, "SELECT c.deviceId, c.start, c.\"end\", ifnull(e.label, '') FROM CUPTI_ACTIVITY_KIND_MEMCPY AS c "
		      "LEFT JOIN ENUM_CUDA_MEMCPY_OPER AS e ON e.id = c.copyKind");
}

static int by_time(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* What `ns` count for while so many of each class are running. */
static void count(struct times *t, const int64_t *running, int64_t ns)
{
	bool in = running[IN] > 0, out = running[OUT] > 0, kernel = running[KERNELS] > 0;

	t->in += in ? ns : 0;
	t->out += out ? ns : 0;
	t->kernel += kernel ? ns : 0;
	t->all += in || out || kernel || running[OTHER] > 0 ? ns : 0;
	t->overlap += (in || out) && kernel ? ns : 0;
}

static struct times sweep(struct gpu *gpu)
{
	int64_t running[CLASSES] = {0};
	struct times t = {0};

	qsort(gpu->edges, gpu->n, sizeof(*gpu->edges), by_time);
	for (size_t i = 0; i < gpu->n; i++) {
		uint64_t edge = gpu->edges[i];

		if (i > 0)
			count(&t, running, (int64_t)((edge >> 3) - (gpu->edges[i - 1] >> 3)));
		running[edge >> 1 & 3] += (edge & 1) != 0 ? -1 : 1;
	}
	if (gpu->n > 0)
		t.span = (int64_t)((gpu->edges[gpu->n - 1] >> 3) - (gpu->edges[0] >> 3));
	return t;
}

static void compare(int64_t device, const json_t *parent, const char *key, int64_t want)
{
	const json_t *value = json_object_get(parent, key);

	if (json_is_integer(value) && json_integer_value(value) == want)
		return;
	printf("GPU %" PRId64 ": %s is %" JSON_INTEGER_FORMAT " in the report, %" PRId64 " by the sweep\n", device, key,
		json_integer_value(value), want);
	faults++;
}

static void check_gpu(const json_t *told)
{
	int64_t device = json_integer_value(json_object_get(told, "device"));
	const json_t *busy = json_object_get(told, "busy_ns");
	struct times t = sweep(gpu_of(device));

	compare(device, told, "span_ns", t.span);
	compare(device, busy, "h2d", t.in);
	compare(device, busy, "d2h", t.out);
	compare(device, busy, "kernel", t.kernel);
	compare(device, busy, "all", t.all);
	compare(device, told, "overlap_ns", t.overlap);
}

static void check_report(const json_t *root)
{
	const json_t *told = json_object_get(json_array_get(json_object_get(root, "recordings"), 0), "gpus");
	size_t before = ngpus, i;
	json_t *gpu;

	json_array_foreach(told, i, gpu) check_gpu(gpu);
	if (json_array_size(told) != before || ngpus != before || before == 0) {
		printf("the report has %zu GPUs, the export %zu\n", json_array_size(told), before);
		faults++;
	}
	printf("busy times of %zu GPUs compared\n", before);
}

int main(int argc, char **argv)
{
	json_error_t err;
	json_t *root;
	sqlite3 *db;

	if (argc != 3)
		fail("usage: check-busy EXPORT report.json");
	root = json_load_file(argv[2], 0, &err);
	if (!root)
		fail(err.text);
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		fail("the export cannot be opened");
	take_export(db);
	sqlite3_close(db);
	check_report(root);
	json_decref(root);
	for (size_t i = 0; i < ngpus; i++)
		free(gpus[i].edges);
	free(gpus);
	return faults > 0;
}
