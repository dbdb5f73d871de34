/* devices.c: see devices.h. */
#include "store/devices.h"

#include <limits.h>
#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

enum { GPUS_COMPARED = 256 }; /* no machine has more */

int gpu_number_column(const struct rows *gpus)
{
	for (size_t i = 0; i < gpus->count; i++) {
		if (row_null(gpus, i, GPU_cuDevice))
			return GPU_id;
		for (size_t k = 0; k < i && i < GPUS_COMPARED; k++) {
			if (row_int(gpus, k, GPU_cuDevice) == row_int(gpus, i, GPU_cuDevice))
				return GPU_id;
		}
	}
	return GPU_cuDevice;
}

bool device_is_possible(int64_t number)
{
	return number >= 0 && number <= INT_MAX;
}

/* `gpus` are by id. */
static int number_of(const struct rowset *gpus, int column, int64_t id, int64_t otherwise)
{
	struct rows rows = rows_numbered(gpus, GPU_id, id);

	return (int)(rows.count && device_is_possible(row_int(&rows, 0, column)) ? row_int(&rows, 0, column)
										 : otherwise);
}

static int by_device(const void *left, const void *right)
{
	const struct device_number *a = left, *b = right;

	return a->pid != b->pid ? int64_order(a->pid, b->pid) : int64_order(a->cuda, b->cuda);
}

static void devices_fill(struct devices *devices, const struct rowset *cuda, const struct rowset *gpus)
{
	struct rows rows = rows_all(cuda), all = rows_all(gpus);

	devices->column = gpu_number_column(&all);
	devices->item = xcalloc(rows.count, sizeof(*devices->item));
	for (size_t i = 0; i < rows.count; i++) {
		int64_t device = row_int(&rows, i, CUDADEVICE_cudaId);

		if (row_null(&rows, i, CUDADEVICE_gpuId) || !device_is_possible(device))
			continue;
		devices->item[devices->n++] = (struct device_number){row_int(&rows, i, CUDADEVICE_pid), device,
			number_of(gpus, devices->column, row_int(&rows, i, CUDADEVICE_gpuId), device)};
	}
	if (devices->n > 1)
		qsort(devices->item, devices->n, sizeof(*devices->item), by_device);
}

int devices_load(struct devices *devices, struct store *store, struct error *err)
{
	struct rowset cuda = {0}, gpus = {0};
	int result = rowset_load(&cuda, store, TABLE_CUDADEVICE, 0, -1, err);

	if (result == 0)
		result = rowset_load(&gpus, store, TABLE_GPU, 0, GPU_id, err);
	if (result == 0)
		devices_fill(devices, &cuda, &gpus);
	rowset_free(&cuda);
	rowset_free(&gpus);
	return result;
}

void devices_free(struct devices *devices)
{
	free(devices->item);
}

int device_of(const struct devices *devices, int64_t process, int64_t cuda)
{
	const struct device_number key = {pid_of(process), cuda, 0}, *found = NULL;

	if (devices->n)
		found = bsearch(&key, devices->item, devices->n, sizeof(key), by_device);
	return found ? found->number : (int)cuda;
}
