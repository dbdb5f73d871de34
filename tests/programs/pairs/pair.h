/* pair.h: what the C++ programs of this folder share. Each has one loop, written in two ways: `before` does one thing
 * after the other, `after` has several buffers. Nothing else differs, so that the difference of their times is what
 * double buffering saves.
 *
 * usage: PROGRAM [--before | --after] [--rounds N] [--repeat N] [--buffers K]
 * Without a way both run by turns. Prints the median time of each way's loops, from its first call to the end of its
 * last work, a line each:
 *     before loop_ms T rounds N result R
 * Ends with status 1 if a result differs from another one or is wrong. */
#ifndef DBPROF_TESTS_PAIR_H
#define DBPROF_TESTS_PAIR_H

#include "../program.h"

#include <algorithm>
#include <vector>

#include <nvtx3/nvToolsExt.h>

struct pair_options {
	bool way[2];                 /* before, after: whether it runs */
	int rounds, repeat, buffers; /* buffers: of `after` */
};

/* Ends the program if what it computed is wrong. */
static inline void expect(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	exit(1);
}

template <class T> T *on_host(size_t n)
{
	T *memory;

	CHECK(cudaMallocHost(&memory, n * sizeof(T)));
	memset(memory, 0, n * sizeof(T));
	return memory;
}

template <class T> T *on_gpu(size_t n)
{
	T *memory;

	CHECK(cudaMalloc(&memory, n * sizeof(T)));
	return memory;
}

/* A stream that does not wait for the default stream. */
static inline cudaStream_t new_stream(void)
{
	cudaStream_t stream;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

static inline cudaEvent_t new_event(void)
{
	cudaEvent_t event;

	CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	return event;
}

static inline unsigned blocks_of(size_t threads, unsigned block)
{
	return (unsigned)((threads + block - 1) / block);
}

/* Adds the bytes of `data` to a checksum. */
template <class T> unsigned long long checksum(unsigned long long sum, const T *data, size_t n)
{
	const unsigned *word = (const unsigned *)data;

	for (size_t i = 0; i < n * sizeof(T) / sizeof(unsigned); i++)
		sum = sum * 31 + word[i];
	return sum;
}

static inline pair_options read_options(int argc, char **argv, int rounds)
{
	pair_options o = {{true, true}, rounds, 7, 2};

	for (int i = 1; i < argc; i++) {
		const char *name = argv[i];

		if (strcmp(name, "--before") == 0)
			o.way[1] = false;
		else if (strcmp(name, "--after") == 0)
			o.way[0] = false;
		else if (strcmp(name, "--rounds") == 0 && i + 1 < argc)
			o.rounds = atoi(argv[++i]);
		else if (strcmp(name, "--repeat") == 0 && i + 1 < argc)
			o.repeat = atoi(argv[++i]);
		else if (strcmp(name, "--buffers") == 0 && i + 1 < argc)
			o.buffers = atoi(argv[++i]);
		else
			exit((fprintf(stderr, "%s: what is %s?\n", argv[0], name), 2));
	}
	return o;
}

/* A program has a constructor (buffers), start(), which forgets results, before(rounds), after(rounds), and
 * result(rounds), which checks them and returns a checksum. The range is that of the timed loop; nullptr: it has none.
 */
template <class Program> double loop_ms(Program &program, int way, int rounds, const char *range)
{
	program.start();
	CHECK(cudaDeviceSynchronize());
	if (range)
		nvtxRangePushA(range);
	double start = now();
	if (way)
		program.after(rounds);
	else
		program.before(rounds);
	CHECK(cudaDeviceSynchronize());
	double seconds = now() - start;
	if (range)
		nvtxRangePop();
	return seconds * 1e3;
}

template <class Program> int pair_main(int argc, char **argv, int rounds, const char *range)
{
	const pair_options o = read_options(argc, argv, rounds);
	Program program(o.buffers);
	std::vector<double> ms[2];
	unsigned long long result = 0;

	for (int way = 0; way < 2; way++) { /* clocks go up, kernels are loaded */
		if (o.way[way])
			loop_ms(program, way, o.rounds / 4, nullptr);
	}
	for (int i = 0; i < 2 * o.repeat; i++) {
		if (!o.way[i % 2])
			continue;
		ms[i % 2].push_back(loop_ms(program, i % 2, o.rounds, range));
		unsigned long long sum = program.result(o.rounds);
		expect(i < 2 || sum == result, "one result is not like another");
		expect(i != 1 || !o.way[0] || sum == result, "the results of both ways differ");
		result = sum;
	}
	for (int way = 0; way < 2; way++) {
		if (!o.way[way])
			continue;
		std::sort(ms[way].begin(), ms[way].end());
		printf("%s loop_ms %.3f rounds %d result %016llx\n", way ? "after" : "before",
			ms[way][ms[way].size() / 2], o.rounds, result);
	}
	return 0;
}

#endif
