/* gate.c: see gate.h. */
#include "record/pass/gate.h"

#include <errno.h>
#include <time.h>

int gate_init(struct gate *gate)
{
	atomic_init(&gate->gave_up, false);
	return sem_init(&gate->open, 0, 0);
}

void gate_destroy(struct gate *gate)
{
	sem_destroy(&gate->open);
}

/* Runs in one of CUDA's threads, in the stream's order. */
static void CUDART_CB gate_wait_until_open(void *user)
{
	struct gate *gate = user;
	struct timespec until;
	int code;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += GATE_PATIENCE_S;
	do
		code = sem_timedwait(&gate->open, &until);
	while (code < 0 && errno == EINTR);
	atomic_store(&gate->gave_up, code < 0);
}

/* A gate that gave up waiting was opened later all the same. That must not open the next one. */
cudaError_t gate_close(struct gate *gate, cudaStream_t stream)
{
	while (sem_trywait(&gate->open) == 0)
		;
	atomic_store(&gate->gave_up, false);
	return cudaLaunchHostFunc(stream, gate_wait_until_open, gate);
}

void gate_open(struct gate *gate)
{
	sem_post(&gate->open);
}

bool gate_gave_up(const struct gate *gate)
{
	return atomic_load(&gate->gave_up);
}
