/* constants.c: what a GPU can do at best, measured in a process of its own: see record.h. */
#include "record/record.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tools/calibrate.h"
#include "analyze/machine.h"
#include "record/cupti/cuda-error.h"
#include "record/cupti/range-profiler.h"
#include "record/worker/process.h"
#include "util/alloc.h"

enum { CONSTANTS_MS = 60000 };

/* Shared with the child. */
struct measuring_machine {
	const char *gpu;
	struct machine machine;
	struct error problem;
	bool finished;
	char chip[RECORD_CHIP_SIZE];
	bool can_count; /* availability[] says what */
	uint8_t availability[PROFILER_AVAILABILITY_SIZE];
};

static cudaError_t measure_constants(struct machine *out)
{
	cudaStream_t stream;
	cudaError_t code = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

	if (code != cudaSuccess)
		return code;
	code = calibrate(0, stream, out);
	(void)cudaStreamDestroy(stream);
	return code;
}

/* The context of the measurement is there. Whatever is in the way, those who count will meet it, and tell. */
static void ask_cupti(struct measuring_machine *m)
{
	struct cupti cupti;
	struct profiler profiler;
	struct error untold = {0};
	uint8_t *availability = NULL;

	if (cupti_open(&cupti, &untold) < 0 || profiler_open(&profiler, &cupti, &untold) < 0)
		return;
	if (profiler_start(&profiler, &untold) == 0 &&
		profiler_chip(&profiler, 0, m->chip, sizeof(m->chip), &untold) == 0)
		availability = range_profiler_availability(&profiler, &untold);
	if (availability)
		memcpy(m->availability, availability, sizeof(m->availability));
	m->can_count = availability != NULL;
	free(availability);
}

/* No library of ours or of others is to be in this process, and of several GPUs it sees the one that is meant. */
static void measure_in_child(void *user)
{
	struct measuring_machine *m = user;
	cudaError_t code;

	unsetenv("CUDA_INJECTION64_PATH");
	if (m->gpu[0] != '\0')
		setenv("CUDA_VISIBLE_DEVICES", m->gpu, 1);
	code = measure_constants(&m->machine);
	if (code != cudaSuccess)
		cuda_error(&m->problem, code, "the machine's constants cannot be measured");
	else
		ask_cupti(m);
	m->finished = code == cudaSuccess;
}

static int tell_unfinished(struct measuring_machine *m, struct process_end *end, struct error *err)
{
	char how[128];

	process_describe(end->status, how, sizeof(how));
	if (m->problem.text[0] != '\0')
		return error_set(err, "%s", m->problem.text);
	if (end->timed_out)
		return error_set(err, "the machine's constants were not measured within %g s", CONSTANTS_MS / 1e3);
	return error_set(err, "the process that measures the machine's constants %s%s%s", how,
		end->words[0] == '\0' ? "" : ": ", process_reason(end));
}

static void tell_machine(
	const struct measuring_machine *m, struct machine *out, char chip[RECORD_CHIP_SIZE], uint8_t **availability)
{
	*out = m->machine;
	memcpy(chip, m->chip, RECORD_CHIP_SIZE);
	if (m->can_count)
		*availability = xmemdup(m->availability, sizeof(m->availability));
}

int record_machine(
	const char *gpu, struct machine *out, char chip[RECORD_CHIP_SIZE], uint8_t **availability, struct error *err)
{
	/* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory asks for */
	struct measuring_machine *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct process_end end;
	int code;

	if (m == MAP_FAILED)
		out_of_memory();
	*availability = NULL;
	m->gpu = gpu;
	code = process_call(measure_in_child, m, CONSTANTS_MS, &end, err);
	if (code == 0 && !m->finished)
		code = tell_unfinished(m, &end, err);
	if (code == 0)
		tell_machine(m, out, chip, availability);
	munmap(m, sizeof(*m));
	return code;
}
