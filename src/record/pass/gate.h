/* gate.h: holds a stream back until the host lets it go, so that a batch can be enqueued whole before any of it runs.
 * Otherwise a batch of kernels shorter than a launch measures how fast the host launches. */
#ifndef DBPROF_RECORD_PASS_GATE_H
#define DBPROF_RECORD_PASS_GATE_H

#include <cuda_runtime_api.h>
#include <semaphore.h>

struct gate {
	sem_t open;
};

int gate_init(struct gate *gate); /* 0 or -1, errno says why */
void gate_destroy(struct gate *gate);

/* What is enqueued in the stream from now on waits for gate_open(), two seconds at most. Until then nothing may be done
 * that waits for the stream, such as a copy from pageable memory or loading a kernel for the first time. */
cudaError_t gate_close(struct gate *gate, cudaStream_t stream);

/* To be called once for each gate_close() that succeeded. */
void gate_open(struct gate *gate);

#endif
