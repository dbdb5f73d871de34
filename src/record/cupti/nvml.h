/* nvml.h: clocks, temperature and power of one GPU, from NVML, which is loaded at run time. */
#ifndef DBPROF_RECORD_CUPTI_NVML_H
#define DBPROF_RECORD_CUPTI_NVML_H

#include <stddef.h>

#include "util/error.h"

struct nvml;

/* In the mask of reasons to throttle, NVML's nvmlClocksEventReasonGpuIdle: nothing runs. */
enum { NVML_IDLE = 1 };

/* Readings; a negative one is unknown. */
struct nvml_clocks {
	long long sm_mhz, mem_mhz, temperature_c, power_mw;
	long long throttle;  /* NVML's bit mask of reasons, see NVML_IDLE */
	long long processes; /* processes that compute on the GPU, this one included */
};

/* How the GPU is set up: 1 yes, 0 no, -1 unknown. */
struct nvml_modes {
	int mig, is_virtual, persistence;
};

/* Loads NVML and finds the GPU by its PCI address ("0000:00:06.0") or its UUID ("GPU-..."), because CUDA's numbers and
 * NVML's can differ. If `gpu` is NULL there is none, and only nvml_driver() works. NULL if NVML is missing or refuses:
 * `err` says which. */
struct nvml *nvml_open(const char *gpu, struct error *err);
void nvml_close(struct nvml *nvml); /* NULL is allowed */

/* The SM clock alone, in MHz: quick. Negative if unknown. NULL is allowed. */
long long nvml_sm_mhz(const struct nvml *nvml);

/* All readings, which takes about a millisecond. NULL is allowed. */
void nvml_read(const struct nvml *nvml, struct nvml_clocks *out);

/* The modes; unknown where NVML is too old to tell. NULL is allowed. */
void nvml_read_modes(const struct nvml *nvml, struct nvml_modes *out);

/* The driver's version, "580.159.04". -1 if unknown. */
int nvml_driver(const struct nvml *nvml, char *out, size_t size);

#endif
