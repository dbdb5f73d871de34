/*
 * graphs.c: a program for `dbprof contrast`, on the stand-in GPU: it launches CUDA graphs and kernels.
 *
 *   step N WORK       does WORK so often, each time in an NVTX range named "step"
 *   do N WORK         the same outside of ranges
 *   more FILE WORK    does WORK once more in each run: FILE keeps how often
 *   threads N WORK    another thread does WORK so often while the program goes on
 *
 * WORK is a list with commas. Its kernels have B blocks of 1,024 threads each:
 *
 *   gKxB    launches a graph of K kernels, `scale` and `add` behind it
 *   mKxB    the same with `mul` for `scale`; nKxB with a kernel of NCCL
 *   fKxB    the same as gKxB, captured anew
 *   e       launches a graph without any work
 *   aB, sB  launches `add` or `scale`; bB launches `add` in another stream
 */
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toy-kernels.h"

/* ---- graphs ---- */

enum { GRAPHS_MOST = 512, WORK_TEXT = 256 };

/* The first letter of its word says which kernel stands first in it. */
struct graph {
	char letter;
	int kernels;
	unsigned blocks;
	cudaGraphExec_t exec;
};

/* A thread and its graphs. */
struct worker {
	cudaStream_t stream;
	struct graph graphs[GRAPHS_MOST];
	size_t n;
};

static const void *first_kernel(char letter)
{
	return letter == 'm' ? &toy_mul : letter == 'n' ? &toy_nccl : &toy_scale;
}

static cudaGraphExec_t capture(cudaStream_t stream, const struct graph *graph)
{
	cudaGraphExec_t exec;
	cudaGraph_t captured;

	toy_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	for (int i = 0; i < graph->kernels; i++)
		toy_launch(i == 0 ? first_kernel(graph->letter) : &toy_add, graph->blocks, stream);
	toy_check(cudaStreamEndCapture(stream, &captured));
	toy_check(cudaGraphInstantiate(&exec, captured, 0));
	toy_check(cudaGraphDestroy(captured));
	return exec;
}

static struct graph *graph_of(struct worker *worker, const struct graph *key)
{
	struct graph *graph = worker->graphs;

	for (; graph < worker->graphs + worker->n; graph++)
		if (graph->letter == key->letter && graph->kernels == key->kernels && graph->blocks == key->blocks)
			return graph;
	if (worker->n == GRAPHS_MOST)
		exit(94);
	*graph = *key;
	graph->exec = capture(worker->stream, graph);
	worker->n++;
	return graph;
}

static void launch_graph(struct worker *worker, const struct graph *key)
{
	struct graph *graph = graph_of(worker, key);

	if (key->letter == 'f') {
		toy_check(cudaGraphExecDestroy(graph->exec));
		graph->exec = capture(worker->stream, graph);
	}
	toy_check(cudaGraphLaunch(graph->exec, worker->stream));
}

static void begin_worker(struct worker *worker)
{
	toy_check(cudaStreamCreateWithFlags(&worker->stream, cudaStreamNonBlocking));
}

static void end_worker(struct worker *worker)
{
	for (size_t i = 0; i < worker->n; i++)
		toy_check(cudaGraphExecDestroy(worker->graphs[i].exec));
	toy_check(cudaStreamDestroy(worker->stream));
}

/* ---- work ---- */

static void do_word(struct worker *worker, const char *word)
{
	struct graph graph = {.letter = word[0]};
	unsigned blocks = (unsigned)strtoul(word + 1, NULL, 10);

	if (strcmp(word, "e") == 0 ||
		(strchr("gmnf", word[0]) && sscanf(word + 1, "%dx%u", &graph.kernels, &graph.blocks) == 2))
		launch_graph(worker, &graph);
	else if (word[0] == 'a' || word[0] == 's')
		toy_launch(word[0] == 'a' ? &toy_add : &toy_scale, blocks, worker->stream);
	else if (word[0] == 'b')
		toy_launch(&toy_add, blocks, NULL);
	else
		exit(2);
}

static void do_work(struct worker *worker, const char *work, bool is_step)
{
	char text[WORK_TEXT], *rest = NULL;

	if (snprintf(text, sizeof(text), "%s", work) >= (int)sizeof(text))
		exit(2);
	if (is_step)
		nvtxRangePushA("step");
	for (const char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		do_word(worker, word);
	toy_check(is_step ? cudaDeviceSynchronize() : cudaStreamSynchronize(worker->stream));
	if (is_step)
		nvtxRangePop();
}

struct thread_work {
	pthread_t thread;
	bool runs;
	long times;
	const char *work;
};

static void *work_in_thread(void *user)
{
	const struct thread_work *mine = user;
	struct worker worker = {0};

	begin_worker(&worker);
	for (long i = 0; i < mine->times; i++)
		do_work(&worker, mine->work, false);
	end_worker(&worker);
	return NULL;
}

static long one_more(const char *path)
{
	FILE *file = fopen(path, "a+");
	long n = -1;

	if (file && fputc('x', file) != EOF)
		n = ftell(file);
	if (n < 0 || fclose(file) != 0)
		exit(96);
	return n;
}

/* The three words of the command line that begin there. */
static void take_words(struct worker *worker, struct thread_work *other, char **words)
{
	bool is_step = strcmp(words[0], "step") == 0, is_more = strcmp(words[0], "more") == 0;

	if (strcmp(words[0], "threads") == 0) {
		*other = (struct thread_work){.runs = true, .times = atol(words[1]), .work = words[2]};
		if (pthread_create(&other->thread, NULL, work_in_thread, other) != 0)
			exit(95);
		return;
	}
	if (!is_step && !is_more && strcmp(words[0], "do") != 0)
		exit(2);
	for (long i = is_more ? one_more(words[1]) : atol(words[1]); i > 0; i--)
		do_work(worker, words[2], is_step);
}

int main(int argc, char **argv)
{
	struct worker worker = {0};
	struct thread_work other = {0};

	toy_kernels(0);
	begin_worker(&worker);
	for (int i = 1; i + 2 < argc; i += 3)
		take_words(&worker, &other, argv + i);
	if (other.runs)
		pthread_join(other.thread, NULL);
	end_worker(&worker);
	return 0;
}
