/* gpus.c: see gpus.h. */
#include "contrast/gpu/gpus.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/step/cells.h"
#include "util/alloc.h"

/* ---- which there are ---- */

static struct seen_gpu *seen_with_number(const struct seen_gpus *gpus, int64_t number)
{
	for (size_t i = 0; i < gpus->n; i++)
		if (gpus->gpu[i].row[GPU_id].integer == number)
			return &gpus->gpu[i];
	return NULL;
}

static const struct seen_gpu *seen_with_uuid(const struct seen_gpus *gpus, const char *uuid)
{
	for (size_t i = 0; i < gpus->n && *uuid != '\0'; i++)
		if (strcmp(gpus->gpu[i].uuid, uuid) == 0)
			return &gpus->gpu[i];
	return NULL;
}

static int64_t free_number(const struct seen_gpus *gpus, int64_t wanted)
{
	for (int64_t number = 0; seen_with_number(gpus, wanted); number++)
		wanted = number;
	return wanted;
}

static void add_seen_gpu(struct seen_gpus *gpus, const struct value *row, const char *uuid)
{
	int64_t number = free_number(gpus, row[GPU_id].integer);
	struct seen_gpu *gpu;

	xgrow(&gpus->gpu, gpus->n, &gpus->room, sizeof(*gpus->gpu));
	gpu = &gpus->gpu[gpus->n++];
	*gpu = (struct seen_gpu){.is_tried = false};
	snprintf(gpu->uuid, sizeof(gpu->uuid), "%s", uuid);
	memcpy(gpu->row, row, sizeof(gpu->row));
	for (int i = 0; i < GPU_NUMBER; i++)
		if (row[i].kind == VALUE_TEXT)
			gpu->row[i] = VALUE_OF_TEXT(row[i].text ? xstrdup(row[i].text) : NULL);
	gpu->row[GPU_id] = gpu->row[GPU_cuDevice] = VALUE_OF_INT(number);
}

/* One whose UUID is not known is the first run's, or none: a later one cannot be told from it. */
static void take_gpu_rows(struct seen_gpus *gpus, struct cursor *cursor, const struct side_run *run)
{
	bool is_first = gpus->n == 0;
	struct error unread = {0};

	while (cursor_next(cursor, &unread) > 0) {
		struct value row[GPU_NUMBER];
		int64_t id;
		const char *uuid;

		cells_of_row(cursor, TABLE_GPU, row);
		id = row[GPU_id].kind == VALUE_INT ? row[GPU_id].integer : -1;
		uuid = id >= 0 && id < PROGRAM_GPUS ? run->gpus[id] : "";
		if (id >= 0 && (*uuid != '\0' || is_first) && !seen_with_uuid(gpus, uuid))
			add_seen_gpu(gpus, row, uuid);
	}
}

static bool knows_all(const struct seen_gpus *gpus, const struct side_run *run)
{
	for (int i = 0; i < PROGRAM_GPUS; i++)
		if (run->gpus[i][0] != '\0' && !seen_with_uuid(gpus, run->gpus[i]))
			return false;
	return gpus->n > 0;
}

void seen_gpus_take(
	struct seen_gpus *gpus, const char *recording, const struct side_run *run, int numbers[PROGRAM_GPUS])
{
	struct error unread = {0};
	struct store *store = knows_all(gpus, run) ? NULL : store_open(recording, &unread);
	struct cursor *cursor = store ? store_rows(store, TABLE_GPU, -1, &unread) : NULL;

	if (cursor)
		take_gpu_rows(gpus, cursor, run);
	cursor_close(cursor);
	store_close(store);
	for (int i = 0; i < PROGRAM_GPUS; i++) {
		const struct seen_gpu *gpu = seen_with_uuid(gpus, run->gpus[i]);

		numbers[i] = gpu ? (int)gpu->row[GPU_id].integer : i;
	}
}

/* ---- a side's own ---- */

int seen_gpus_own(const struct side_run *run, const int numbers[PROGRAM_GPUS], int before)
{
	int busiest = -1;
	int64_t before_ns = 0;

	for (int i = 0; i < PROGRAM_GPUS; i++) {
		if (run->gpus[i][0] == '\0' || run->gpu_ns[i] <= 0)
			continue;
		if (numbers[i] == before)
			before_ns = run->gpu_ns[i];
		if (busiest < 0 || run->gpu_ns[i] > run->gpu_ns[busiest])
			busiest = i;
	}
	if (busiest < 0)
		return -1;
	return before_ns >= run->gpu_ns[busiest] / 2 && before_ns > 0 ? before : numbers[busiest];
}

size_t seen_gpus_busy(const struct side_run *run)
{
	size_t n = 0;

	for (int i = 0; i < PROGRAM_GPUS; i++)
		n += run->gpu_ns[i] > 0;
	return n;
}

/* ---- each of them ---- */

const struct value *seen_gpus_row(const struct seen_gpus *gpus, int number)
{
	const struct seen_gpu *gpu = number < 0 && gpus->n == 1 ? gpus->gpu : seen_with_number(gpus, number);

	return gpu ? gpu->row : NULL;
}

const struct nvml *seen_gpus_nvml(struct seen_gpus *gpus, int number)
{
	struct seen_gpu *gpu = seen_with_number(gpus, number);
	struct error err;

	if (!gpu || gpu->uuid[0] == '\0')
		return NULL;
	if (!gpu->is_tried)
		gpu->nvml = nvml_open(gpu->uuid, &err);
	gpu->is_tried = true;
	return gpu->nvml;
}

int seen_gpus_write(const struct seen_gpus *gpus, struct recording *rec, struct error *err)
{
	for (size_t i = 0; i < gpus->n; i++)
		if (recording_row(rec, TABLE_GPU, gpus->gpu[i].row, err) < 0)
			return -1;
	return 0;
}

void seen_gpus_free(struct seen_gpus *gpus)
{
	for (size_t i = 0; i < gpus->n; i++) {
		for (int k = 0; k < GPU_NUMBER; k++)
			if (gpus->gpu[i].row[k].kind == VALUE_TEXT)
				free((char *)gpus->gpu[i].row[k].text);
		nvml_close(gpus->gpu[i].nvml);
	}
	free(gpus->gpu);
	*gpus = (struct seen_gpus){0};
}
