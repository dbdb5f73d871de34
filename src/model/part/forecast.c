/* forecast.c: see forecast.h. What a row takes was measured with `make bench-size`: docs/size.md. */
#include "model/part/forecast.h"

#include "store/scan.h"
#include "util/machine/memory.h"

/* Bytes: of the program itself, with figures, page and estimates; of a piece of work, and what a copy has beside that;
 * of an NVTX range; of a name, beside its own bytes, which are there twice. */
enum { OWN = 24 << 20, WORK_BYTES = 42, COPY_BYTES = 24, RANGE_BYTES = 44, NAME_BYTES = 130, NAME_COPIES = 2 };

/* Of what is free, so much is left to others. */
static const double free_share = 0.9;

/* Seconds of a processor for a row and for a name; for a piece of work that estimates look at, of which there are not
 * more than so many; and without any. */
static const double row_seconds = 0.26e-6, name_seconds = 1.5e-6, estimate_seconds = 2e-6, own_seconds = 0.25;
enum { ESTIMATE_PIECES = 1 << 18 };

static const struct forecast_table {
	enum table_id table;
	int64_t bytes; /* of a row */
	bool work;     /* a row is a piece of device work */
} forecast_tables[] = {
	{TABLE_KERNEL, WORK_BYTES, true},
	{TABLE_MEMCPY, WORK_BYTES + COPY_BYTES, true},
	{TABLE_MEMSET, WORK_BYTES + COPY_BYTES, true},
	{TABLE_GRAPHTRACE, WORK_BYTES, true},
	{TABLE_RUNTIME, 0, false},
	{TABLE_NVTX, RANGE_BYTES, false},
};

struct forecast forecast_of(struct store *store, int64_t memory)
{
	enum { LITTLE = 8 << 20 };
	struct forecast forecast = {.bytes = OWN, .own = OWN};
	struct table_size size;
	int64_t work = 0;
	double seconds;

	for (size_t i = 0; i < sizeof(forecast_tables) / sizeof(forecast_tables[0]); i++) {
		store_measure_table(store, forecast_tables[i].table, &size);
		forecast.rows += size.rows;
		forecast.bytes += size.rows * forecast_tables[i].bytes;
		work += forecast_tables[i].work ? size.rows : 0;
	}
	store_measure_file_table(store, "StringIds", &size);
	forecast.bytes += size.rows * NAME_BYTES + size.bytes * NAME_COPIES;
	forecast.free = memory > 0 ? memory : (int64_t)((double)memory_free() * free_share);
	forecast.little = forecast.bytes > forecast.free && forecast.bytes - OWN < LITTLE;
	seconds = (double)forecast.rows * row_seconds + (double)size.rows * name_seconds +
		  (double)(work < ESTIMATE_PIECES ? work : ESTIMATE_PIECES) * estimate_seconds;
	forecast.seconds = own_seconds + seconds / store_threads(store);
	return forecast;
}

double forecast_share(const struct forecast *forecast)
{
	/* What is small would hardly get smaller. */
	if (forecast->bytes <= forecast->free || forecast->little)
		return 1;
	return forecast->free <= OWN ? 0 : (double)(forecast->free - OWN) / (double)(forecast->bytes - OWN);
}
