/* device.c: see device.h. */
#include "model/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/devices.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

struct rows device_row(const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_GPU]);
	const char *wanted = model->gpu ? model->gpu : store_meta(model->store, "device");
	long device = wanted ? strtol(wanted, NULL, 10) : 0;
	int column = gpu_number_column(&rows);

	for (size_t i = 0; i < rows.count; i++) {
		if (row_int(&rows, i, column) == device)
			return (struct rows){rows.set, i, 1};
	}
	rows.count = rows.count && !model->gpu ? 1 : 0;
	return rows;
}

static json_t *compute_json(const struct rows *device)
{
	char text[32];

	if (row_null(device, 0, GPU_computeMajor))
		return json_null();
	snprintf(text, sizeof(text), "%d.%d", row_count(device, 0, GPU_computeMajor),
		row_count(device, 0, GPU_computeMinor));
	return json_string(text);
}

json_t *device_json(const struct model *model)
{
	static const struct field fields[] = {
		{"name", GPU_name},
		{"sms", GPU_smCount},
		{"memory_bytes", GPU_totalMemory},
		{"memory_bandwidth_bytes_s", GPU_memoryBandwidth},
		{"l2_bytes", GPU_l2CacheSize},
		{"async_engines", GPU_asyncEngines},
		{"shared_per_sm_bytes", GPU_maxShmemPerSm},
		{"registers_per_sm", GPU_maxRegistersPerSm},
		{"warps_per_sm", GPU_maxWarpsPerSm},
		{"blocks_per_sm", GPU_maxBlocksPerSm},
	};
	struct rows device = device_row(model);
	json_t *object;

	if (device.count == 0)
		return json_null();
	object = json_object();
	put_fields(object, &device, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "compute", compute_json(&device));
	put_json(object, "clock_limit_mhz", real_json(row_real(&device, 0, GPU_clockRate) / 1e6));
	return object;
}

bool sm_limits_of(const struct rows *device, struct sm_limits *out)
{
	static const int needed[] = {GPU_maxWarpsPerSm, GPU_maxBlocksPerSm, GPU_threadsPerWarp, GPU_maxRegistersPerSm,
		GPU_maxShmemPerSm, GPU_computeMajor, GPU_computeMinor};

	if (device->count == 0)
		return false;
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (row_null(device, 0, needed[i]))
			return false;
	}
	*out = (struct sm_limits){
		.warps = row_count(device, 0, GPU_maxWarpsPerSm),
		.blocks = row_count(device, 0, GPU_maxBlocksPerSm),
		.threads_per_warp = row_count(device, 0, GPU_threadsPerWarp),
		.registers = row_count(device, 0, GPU_maxRegistersPerSm),
		.shared_bytes = row_count(device, 0, GPU_maxShmemPerSm),
		.compute_major = row_count(device, 0, GPU_computeMajor),
		.compute_minor = row_count(device, 0, GPU_computeMinor),
	};
	return true;
}

/* NVML's nvmlClocksThrottleReason... An idle GPU, or clocks that the user set, are no throttling. */
enum {
	SW_POWER_CAP = 0x4,
	HW_SLOWDOWN = 0x8,
	SW_THERMAL = 0x20,
	HW_THERMAL = 0x40,
	HW_POWER_BRAKE = 0x80,
	THROTTLE_MATTERS = SW_POWER_CAP | HW_SLOWDOWN | SW_THERMAL | HW_THERMAL | HW_POWER_BRAKE
};

bool throttle_matters(int64_t mask)
{
	return (mask & THROTTLE_MATTERS) != 0;
}

bool throttle_by_power_alone(int64_t mask)
{
	return (mask & THROTTLE_MATTERS) == SW_POWER_CAP;
}

/* min, median, max and n of a column's readings; null if there are none. */
static json_t *readings_json(const struct rows *rows, int column)
{
	double *x = xcalloc(rows->count + 1, sizeof(*x));
	struct summary summary;
	json_t *object;
	size_t n = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (!row_null(rows, i, column))
			x[n++] = row_real(rows, i, column);
	}
	summarize(x, n, &summary);
	free(x);
	if (n == 0)
		return json_null();
	object = json_object();
	put_json(object, "min", real_json(summary.min));
	put_json(object, "median", real_json(summary.median));
	put_json(object, "max", real_json(summary.max));
	put_json(object, "n", json_integer((json_int_t)n));
	return object;
}

/* The number of readings with a reason that matters; null if no reading has a mask. */
static json_t *throttled_json(const struct rows *rows)
{
	json_int_t known = 0, throttled = 0;

	for (size_t i = 0; i < rows->count; i++) {
		known += !row_null(rows, i, CLOCK_throttle);
		throttled += throttle_matters(row_int(rows, i, CLOCK_throttle));
	}
	return known ? json_integer(throttled) : json_null();
}

json_t *clocks_json(const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_CLOCK]);
	json_t *object;

	if (rows.count == 0)
		return json_null();
	object = json_object();
	put_json(object, "sm_mhz", readings_json(&rows, CLOCK_smMhz));
	put_json(object, "temperature_c", readings_json(&rows, CLOCK_temperatureC));
	put_json(object, "throttled", throttled_json(&rows));
	return object;
}
