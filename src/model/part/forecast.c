/* forecast.c: see forecast.h. What a row takes was measured with `make bench-size`: docs/size.md. */
#include "model/part/forecast.h"

#include "store/scan.h"
#include "util/machine/memory.h"

/* Bytes: of the program itself, with figures, page and estimates; of a piece of work, and what a copy has beside that;
 * of an NVTX range; of a name, beside its own bytes, which are there twice. */
enum { OWN = 24 << 20, WORK_BYTES = 42, COPY_BYTES = 24, RANGE_BYTES = 44, NAME_BYTES = 130, NAME_COPIES = 2 };

/* Of what is free, so much is left to others. */
static const double free_share = 0.9;

/* Seconds of a processor for a row; and without any. */
static const double row_seconds = 0.3e-6, own_seconds = 0.25;

static const struct forecast_table {
	enum table_id table;
	int64_t bytes; /* of a row */
} forecast_tables[] = {
	{TABLE_KERNEL, WORK_BYTES},
	{TABLE_MEMCPY, WORK_BYTES + COPY_BYTES},
	{TABLE_MEMSET, WORK_BYTES + COPY_BYTES},
	{TABLE_GRAPHTRACE, WORK_BYTES},
	{TABLE_RUNTIME, 0},
	{TABLE_NVTX, RANGE_BYTES},
};

struct forecast forecast_of(struct store *store, int64_t memory)
{
	struct forecast forecast = {.bytes = OWN};
	struct table_size size;

	for (size_t i = 0; i < sizeof(forecast_tables) / sizeof(forecast_tables[0]); i++) {
		store_measure_table(store, forecast_tables[i].table, &size);
		forecast.rows += size.rows;
		forecast.bytes += size.rows * forecast_tables[i].bytes;
	}
	store_measure_file_table(store, "StringIds", &size);
	forecast.bytes += size.rows * NAME_BYTES + size.bytes * NAME_COPIES;
	forecast.free = memory > 0 ? memory : (int64_t)((double)memory_free() * free_share);
	forecast.seconds = own_seconds + (double)forecast.rows * row_seconds / store_threads(store);
	return forecast;
}

double forecast_share(const struct forecast *forecast)
{
	enum { LITTLE = 8 << 20 };

	/* What is small would hardly get smaller. */
	if (forecast->bytes <= forecast->free || forecast->bytes - OWN < LITTLE)
		return 1;
	return forecast->free <= OWN ? 0 : (double)(forecast->free - OWN) / (double)(forecast->bytes - OWN);
}
