/* devices.h: which GPU the CUDA device numbers of a recording's processes mean. */
#ifndef DBPROF_STORE_DEVICES_H
#define DBPROF_STORE_DEVICES_H

#include "store/rowset.h"

/* A CUDA device of a process, by its process id, and the number that its GPU has in the report. */
struct device_number {
	int64_t pid, cuda;
	int number;
};

struct devices {
	struct device_number *item; /* by pid and CUDA device; owned */
	size_t n;
	int column; /* of TARGET_INFO_GPU that numbers GPUs: see gpu_number_column() */
};

/* Fills *devices, which devices_free() frees. */
int devices_load(struct devices *devices, struct store *store, struct error *err);
void devices_free(struct devices *devices);

/* The column of TARGET_INFO_GPU that numbers GPUs in the report: CUDA's number, or the id where some GPU has none or
 * two have the same. */
int gpu_number_column(const struct rows *gpus);

/* Whether a CUDA device can have the number. */
bool device_is_possible(int64_t number);

/* The report's number of a process's device: two processes may have different GPUs as their device 0, through
 * CUDA_VISIBLE_DEVICES. The device number itself where the file does not tell. `cuda` must be
 * possible. */
int device_of(const struct devices *devices, int64_t process, int64_t cuda);

#endif
