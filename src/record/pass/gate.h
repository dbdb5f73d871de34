/* gate.h: holds a stream back until the host lets it go. So all of a batch is enqueued before any of it runs. Otherwise
 * a batch of kernels that are shorter than a launch measures how fast the host launches. */
#ifndef DBPROF_RECORD_PASS_GATE_H
#define DBPROF_RECORD_PASS_GATE_H

#include <cuda_runtime_api.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { GATE_PATIENCE_S = 2 };

struct gate {
	sem_t open;
	atomic_bool gave_up;
};

int gate_init(struct gate *gate); /* 0 or -1, errno says why */
void gate_destroy(struct gate *gate);

/* Work that is enqueued in the stream from now on waits for gate_open(), GATE_PATIENCE_S at most. Until then do nothing
 * that waits for the stream, such as a copy from pageable memory or the first launch of a kernel, which loads it. */
cudaError_t gate_close(struct gate *gate, cudaStream_t stream);

/* Call it once for each gate_close() that succeeded. */
void gate_open(struct gate *gate);

/* Whether the gate that was closed last opened by itself: ask when the stream is done. */
bool gate_gave_up(const struct gate *gate);

#endif
