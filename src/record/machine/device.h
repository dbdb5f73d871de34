/* device.h: the GPU. None of these functions creates a CUDA context. */
#ifndef DBPROF_RECORD_MACHINE_DEVICE_H
#define DBPROF_RECORD_MACHINE_DEVICE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "store/store.h"

enum { PCI_TEXT = 32 };

/* CUDA versions of the run-time library and of the driver (0.0 without a driver), of VERSION_TEXT bytes each
 * (record/cupti/version.h). */
void device_cuda_versions(char *runtime, char *driver, size_t size);

/* The PCI address, "0000:00:06.0"; "" if unknown. */
void device_pci(int device, char out[PCI_TEXT]);

/* The compute capability, 90 for 9.0; 0 if it cannot be asked. */
int device_capability(int device);

/* Writes the row of TARGET_INFO_GPU. */
int device_write(struct recording *rec, int device, struct error *err);

#endif
