/*
 * bursts.c: variants of one of dbprof's own families against the first that is named, by turns: in bursts of 100 ms,
 * each after half a second of idling, and over 2 s each, one behind the other. All work on one state, so they share its
 * addresses. The time pass of dbprof takes batches of 200 us and more instead: clocks and power are of another
 * kind.
 *
 * usage: bursts FAMILY/VARIANT FAMILY/VARIANT... [NAME=VALUE]...
 * The case is the family's first one, with parameters changed. Prints two lines for each variant:
 *     burst|steady VARIANT TFLOP/s SHARE LOW HIGH MHZ
 * the median speed over the rounds, the median of its shares of the first variant's speed in the same round, the lowest
 * and the highest share, and the median SM clock (0 if unknown). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "programs/chosen.h"
#include "record/cupti/nvml.h"
#include "record/machine/device.h"

enum { SIDES_MAX = 8, BURSTS = 8, STEADY = 4, ROUNDS_MAX = 8, CLOCKS_MAX = 1000, TRIAL = 20 };

static const double IDLE_S = 0.5, BURST_S = 0.1, STEADY_S = 2, CLOCK_EVERY_S = 0.01;

struct side {
	const char *name;
	const struct variant *variant;
	double seconds;           /* of a launch, as tried */
	double speed[ROUNDS_MAX]; /* TFLOP/s */
	double mhz[ROUNDS_MAX];
};

/* What all sides share. */
struct match {
	void *state;
	double flops; /* of a launch */
	struct nvml *nvml;
	cudaStream_t stream;
	cudaEvent_t event[2];
	struct side side[SIDES_MAX];
	int n;
};

static double bursts_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void bursts_sleep(double seconds)
{
	const struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};

	(void)nanosleep(&t, NULL);
}

static int double_order(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The median of n numbers, 0 without any; sorts them. */
static double sorted_median(double *x, int n)
{
	qsort(x, (size_t)n, sizeof(*x), double_order);
	return n == 0 ? 0 : (x[(n - 1) / 2] + x[n / 2]) / 2;
}

/* SM clocks that were read while the GPU worked. */
struct bursts_clocks {
	double mhz[CLOCKS_MAX], next;
	int n;
};

static void read_clock(const struct match *m, struct bursts_clocks *clocks)
{
	const double time = bursts_now();
	long long mhz;

	if (time < clocks->next || clocks->n == CLOCKS_MAX)
		return;
	mhz = nvml_sm_mhz(m->nvml);
	clocks->next = time + CLOCK_EVERY_S;
	if (mhz > 0)
		clocks->mhz[clocks->n++] = (double)mhz;
}

/* Seconds that so many launches take on the GPU, in a row; *mhz is the median clock. */
static double run(const struct match *m, const struct side *side, int launches, double *mhz)
{
	struct bursts_clocks clocks = {.next = bursts_now() + CLOCK_EVERY_S};
	struct enqueued done = {0};
	cudaError_t code;
	float ms = 0;

	chosen_check(cudaEventRecord(m->event[0], m->stream), "cudaEventRecord");
	for (int i = 0; i < launches; i++) {
		chosen_check(side->variant->launch(m->state, m->stream, &done), side->name);
		read_clock(m, &clocks);
	}
	chosen_check(cudaEventRecord(m->event[1], m->stream), "cudaEventRecord");
	while ((code = cudaEventQuery(m->event[1])) == cudaErrorNotReady)
		read_clock(m, &clocks);
	chosen_check(code, side->name);
	chosen_check(cudaEventElapsedTime(&ms, m->event[0], m->event[1]), "cudaEventElapsedTime");
	*mhz = sorted_median(clocks.mhz, clocks.n);
	return ms / 1e3;
}

/* Loads the kernels, lets clocks rise, and tries how long a launch takes. */
static void warm_up(struct match *m)
{
	const double until = bursts_now() + 1;
	double mhz;

	while (bursts_now() < until)
		for (int i = 0; i < m->n; i++)
			m->side[i].seconds = run(m, &m->side[i], TRIAL, &mhz) / TRIAL;
}

/* Runs all sides in turn, forward and back, for `seconds` each, after idling for `idle`. */
static void take_rounds(struct match *m, int rounds, double seconds, double idle)
{
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < m->n; i++) {
			struct side *side = &m->side[round % 2 ? m->n - 1 - i : i];
			const int launches = (int)ceil(seconds / side->seconds);

			bursts_sleep(idle);
			side->speed[round] = launches * m->flops / run(m, side, launches, &side->mhz[round]) / 1e12;
		}
}

static void print_rounds(struct match *m, const char *kind, int rounds)
{
	double share[SIDES_MAX][ROUNDS_MAX];

	for (int i = 0; i < m->n; i++)
		for (int round = 0; round < rounds; round++)
			share[i][round] = m->side[i].speed[round] / m->side[0].speed[round];
	for (int i = 0; i < m->n; i++) {
		const double median = sorted_median(share[i], rounds);

		printf("%s %s %.1f %.3f %.3f %.3f %.0f\n", kind, m->side[i].variant->name,
			sorted_median(m->side[i].speed, rounds), median, share[i][0], share[i][rounds - 1],
			sorted_median(m->side[i].mhz, rounds));
	}
	fflush(stdout);
}

/* The sides that the arguments name; how many arguments that were. */
static void name_sides(struct match *m, int argc, char **argv)
{
	while (m->n < argc - 1 && !strchr(argv[1 + m->n], '=')) {
		char *name = argv[1 + m->n];

		if (m->n == SIDES_MAX)
			chosen_quit(name, "there are too many variants");
		if (chosen_family(name) != chosen_family(argv[1]))
			chosen_quit(name, "it is of another family than the first");
		m->side[m->n++] = (struct side){.name = name, .variant = chosen_variant(name)};
	}
	if (m->n < 2)
		chosen_quit("usage", "FAMILY/VARIANT FAMILY/VARIANT... [NAME=VALUE]...");
}

static void open_match(struct match *m, const struct family *family, const struct size_case *size)
{
	struct work work = {0};
	struct error err = {0};
	char pci[PCI_TEXT];

	m->state = chosen_set_up(family, size);
	family->work(size, &work);
	m->flops = work.flops;
	if (m->flops == 0)
		chosen_quit(family->name, "its work is not in floating-point operations");
	device_pci(0, pci);
	m->nvml = nvml_open(pci, &err);
	if (!m->nvml)
		fprintf(stderr, "bursts: clocks are not read: %s\n", err.text);
	chosen_check(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking), "cudaStreamCreate");
	for (int i = 0; i < 2; i++)
		chosen_check(cudaEventCreate(&m->event[i]), "cudaEventCreate");
	for (int i = 0; i < m->n; i++)
		if (m->side[i].variant->prepare)
			m->side[i].variant->prepare(m->state, m->stream);
}

int main(int argc, char **argv)
{
	static struct match m;
	const struct family *family;
	struct size_case size;

	name_sides(&m, argc, argv);
	family = chosen_family(argv[1]);
	size = chosen_case(family, argv + 1 + m.n, argc - 1 - m.n);
	open_match(&m, family, &size);
	warm_up(&m);
	take_rounds(&m, BURSTS, BURST_S, IDLE_S);
	print_rounds(&m, "burst", BURSTS);
	take_rounds(&m, 1, STEADY_S, 0); /* heats up; not counted */
	take_rounds(&m, STEADY, STEADY_S, 0);
	print_rounds(&m, "steady", STEADY);
	nvml_close(m.nvml);
	family->tear_down(m.state);
	return 0;
}
