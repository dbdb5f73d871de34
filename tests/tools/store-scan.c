/* store-scan.c: reads the same columns as plain-scan.c, by the reader that a report uses. Prints how many rows there
 * were, and a sum of all numbers that were read. usage: store-scan FILE THREADS [kernels|copies|calls|ranges] */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/scan.h"
#include "store/texts.h"

static atomic_uint_fast64_t all_rows, all_sum;

static const int kernel[] = {KERNEL_start, KERNEL_end, KERNEL_deviceId, KERNEL_streamId, KERNEL_globalPid,
	KERNEL_correlationId, KERNEL_shortName, KERNEL_demangledName};
static const int copy[] = {MEMCPY_start, MEMCPY_end, MEMCPY_deviceId, MEMCPY_streamId, MEMCPY_globalPid,
	MEMCPY_correlationId, MEMCPY_bytes, MEMCPY_copyKind, MEMCPY_srcKind, MEMCPY_dstKind};
static const int call[] = {RUNTIME_start, RUNTIME_end, RUNTIME_globalTid, RUNTIME_correlationId, RUNTIME_nameId};
static const int range[] = {
	NVTX_start, NVTX_end, NVTX_eventType, NVTX_color, NVTX_text, NVTX_globalTid, NVTX_textId, NVTX_domainId};

static void take(void *user, size_t part, const struct scan_rows *rows)
{
	const struct scan *scan = user;
	uint64_t sum = 0;

	(void)part;
	for (size_t c = 0; c < scan->ncolumns; c++)
		for (size_t i = 0; i < rows->n; i++)
			sum += (uint64_t)rows->value[c][i];
	all_rows += rows->n;
	all_sum += sum;
}

static int scan_table(struct store *store, struct scan scan, struct error *err)
{
	scan.take = take;
	scan.user = &scan;
	return store_scan(store, &scan, err);
}

#define COLUMNS(list) (list), sizeof(list) / sizeof(*(list))

static const struct scanned {
	const char *name;
	enum table_id table;
	const int *columns;
	size_t ncolumns;
} tables[] = {
	{"kernels", TABLE_KERNEL, COLUMNS(kernel)},
	{"copies", TABLE_MEMCPY, COLUMNS(copy)},
	{"calls", TABLE_RUNTIME, COLUMNS(call)},
	{"ranges", TABLE_NVTX, COLUMNS(range)},
};

/* All tables if `only` is NULL. */
static int scan_all(struct store *store, struct texts *texts, const char *only, struct error *err)
{
	int failed = 0;

	for (size_t i = 0; failed == 0 && i < sizeof(tables) / sizeof(*tables); i++)
		if (!only || strcmp(only, tables[i].name) == 0)
			failed = scan_table(store,
				(struct scan){.table = tables[i].table,
					.columns = tables[i].columns,
					.ncolumns = tables[i].ncolumns,
					.texts = texts},
				err);
	return failed;
}

int main(int argc, char **argv)
{
	struct error err = {0};
	struct store *store;
	struct texts *texts;
	int failed = -1;

	if (argc < 3 || argc > 4) {
		fputs("usage: store-scan FILE THREADS [kernels|copies|calls|ranges]\n", stderr);
		return 2;
	}
	store = store_open(argv[1], &err);
	texts = texts_new();
	if (store) {
		store_use_threads(store, (int)strtol(argv[2], NULL, 10));
		failed = scan_all(store, texts, argc == 4 ? argv[3] : NULL, &err);
	}
	if (failed != 0)
		fprintf(stderr, "store-scan: %s\n", err.text);
	else
		printf("%" PRIu64 " rows %" PRIu64 "\n", (uint64_t)all_rows, (uint64_t)all_sum);
	texts_free(texts);
	store_close(store);
	return failed != 0;
}
