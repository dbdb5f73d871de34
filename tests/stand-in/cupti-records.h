/* cupti-records.h: what the files of the stand-in's CUPTI share: the way of activity records into buffers, and who is
 * told of work beside them. */
#ifndef DBPROF_TESTS_CUPTI_RECORDS_H
#define DBPROF_TESTS_CUPTI_RECORDS_H

#include <cupti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stand-in.h"
#include "work.h"

/* ---- what records look like (cupti-layouts.c) ---- */

/* The kinds of records that the stand-in makes. PACKED_ALIGNMENT makes all sizes multiples of 8. */
typedef CUpti_ActivityKernel9 kernel_record;
typedef CUpti_ActivityMemcpy6 copy_record;
typedef CUpti_ActivityMemset3 memset_record;
typedef CUpti_ActivityAPI call_record;
typedef CUpti_ActivitySynchronization2 wait_record;
typedef CUpti_ActivityOverhead3 overhead_record;
typedef CUpti_ActivityMarker2 marker_record;
typedef CUpti_ActivityMarkerData marker_data_record;
typedef CUpti_ActivityDevice4 device_record;
typedef CUpti_ActivityContext2 context_record;
typedef CUpti_ActivityStream stream_record;

/* No record is longer. */
enum { MAX_RECORD = sizeof(kernel_record) + sizeof(device_record) };

/* Bytes of a record of these kinds. */
size_t layout_size(const void *record);

/* Gives a record the times that STAND_IN asks for; false if it is to be lost. */
bool layout_spoil(void *record);

/* Turns the order of the records in a buffer round. */
void layout_reverse(uint8_t *buffer, size_t used);

/* ---- buffers (cupti-buffers.c) ---- */

/* True if the client has enabled the kind; and makes it so. */
bool records_wanted(CUpti_ActivityKind kind);
void records_enable(CUpti_ActivityKind kind, bool on);

/* Copies a record into the buffer of the device, or of the calling thread; its times and its fate are as STAND_IN asks.
 * Nothing happens unless its kind is wanted. */
void records_put_on_device(const void *record);
void records_put_on_thread(const void *record);

/* Keeps a record that never ends: it comes without times when a flush is forced, and holds the device's buffer until
 * then. */
void records_put_unended(const kernel_record *record);

/* Starts the thread that hands buffers over. What the driver holds while it starts CUDA holds this up. */
void records_start(void);

/* Flushes everything in the calling thread and forgets the client's callbacks. */
void records_finalize(void);

/* ---- the client's settings (cupti-client.c) ---- */

/* A time of stand_in_now() as the client's clock would have told it, where it has registered one. 0 stays 0. */
uint64_t records_stamp(uint64_t ns);
/* The number of the calling thread, of the kind that the client wants. */
uint32_t records_thread(void);
/* The number that CUPTI gives a call of the runtime, "cudaLaunchKernel". */
CUpti_CallbackId records_call_id(const char *call);

/* ---- records (cupti-activity.c) ---- */

void records_put_device(int device);

/* ---- the profiling interfaces, which are told of kernels and copies as they end ---- */

void range_profiler_work(const struct stand_in_work *work);
void pm_sampling_work(const struct stand_in_work *work);
void pc_sampling_work(const struct stand_in_work *work);

/* ---- callbacks (cupti-callbacks.c) ---- */

/* Tells the subscriber of a module, and of a call of the driver: before it, and with its result behind it. `params` as
 * in generated_cuda_meta.h; `symbol`: the kernel of a launch. */
void callbacks_module(const CUpti_ResourceData *data);
void callbacks_driver(CUpti_CallbackId id, const char *name, const void *params, const char *symbol, CUresult *result);

/* ---- code (cupti-source.c) ---- */

/* The kernel's code is loaded at its first launch: each kernel is a module of its own, and each code of it. Tells the
 * subscriber, and returns the CRC of the module. */
uint64_t source_load(const char *kernel, int code);

#endif
