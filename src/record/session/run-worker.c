/* run-worker.c: record_worker(): one pass over one family, in the process that the session has started for it. See
 * record.h. */
#include <stdlib.h>
#include <string.h>

#include "record/cupti/cuda-error.h"
#include "record/cupti/flush.h"
#include "record/pass/steps.h"
#include "record/record.h"
#include "record/worker/nvtx.h"
#include "record/worker/registry.h"
#include "record/worker/result.h"
#include "record/worker/select.h"
#include "record/worker/worker.h"

static int open_device(struct worker *w)
{
	struct error err = {0};
	cudaError_t code = cudaSetDevice(w->options->device);

	if (code == cudaSuccess)
		code = cudaGetDeviceProperties(&w->device, w->options->device);
	if (code == cudaSuccess)
		code = cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking);
	if (code == cudaSuccess)
		code = registry_runtime(w->family)->set_device(w->options->device);
	if (code == cudaSuccess)
		return 0;
	cuda_error(&err, code, "the GPU cannot be used");
	worker_problem(w, "%s", err.text);
	return -1;
}

static void close_device(struct worker *w)
{
	cudaError_t code = cudaStreamDestroy(w->stream);
	struct error err = {0};

	/* After a problem the context may be gone. The problem was told then. */
	if (code == cudaSuccess || w->problem.text[0] != '\0')
		return;
	cuda_error(&err, code, "the stream cannot be destroyed");
	worker_problem(w, "%s", err.text);
}

static void worker_run_pass(struct worker *w)
{
	const struct pass_steps *pass = pass_steps(w->pass);

	if (pass->open && !pass->open(w))
		return;
	nvtx_open();
	if (open_device(w) == 0) {
		pass->run(w);
		close_device(w);
	}
	if (pass->close)
		pass->close(w);
}

/* Points of sweeps are only verified and timed. */
static void drop_points(struct worker *w)
{
	int n = 0;

	if (w->pass == PASS_VERIFY || w->pass == PASS_TIME)
		return;
	for (int i = 0; i < w->ncases; i++)
		if (!w->cases[i].sweep)
			w->cases[n++] = w->cases[i];
	w->ncases = n;
}

static int open_files(struct worker *w, const char *spool_path, struct error *err)
{
	w->cases = select_cases(w->options, w->family, &w->ncases);
	drop_points(w);
	w->spool = spool_create(spool_path, err);
	if (!w->spool)
		return -1;
	w->result = result_create(spool_path, err);
	return !w->result ? -1 : 0;
}

/* Closes the files and tells the session how it went. Returns what record_worker() returns. */
static int worker_finish(struct worker *w, struct error *err)
{
	struct error io = {0};
	const char *status = "done", *reason = NULL;

	if (spool_close(w->spool, &io) < 0 && w->problem.text[0] == '\0')
		w->problem = io;
	if (w->problem.text[0] != '\0') {
		status = "failed";
		reason = w->problem.text;
	} else if (w->skipped.text[0] != '\0') {
		status = "skipped";
		reason = w->skipped.text;
	}
	if (result_finish(w->result, status, reason, err) < 0)
		return -1;
	return strcmp(status, "failed") == 0;
}

int record_worker(const struct record_options *options, const char *family, enum pass pass, const char *spool_path,
	struct error *err)
{
	struct worker w = {.options = options, .family = family_find(family), .pass = pass};
	int result = -1;

	if (!w.family)
		return error_set(err, "there is no family '%s'", family);
	if (open_files(&w, spool_path, err) == 0) {
		worker_run_pass(&w);
		result = worker_finish(&w, err);
	} else {
		spool_close(w.spool, NULL);
	}
	free(w.cases);
	return result;
}

bool record_worker_hangs(void)
{
	return flush_hangs();
}
