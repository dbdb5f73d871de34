/*
 * sgemm-reference.h: C = A B in double precision on the CPU, with a bound for the error of a right float result.
 *
 * Fast enough to check millions of elements: each thread works on panels of B that stay in its cache, a few rows of A
 * at a time, so that the sums of one tile stay in registers.
 */
#ifndef DBPROF_KERNELS_SGEMM_REFERENCE_H
#define DBPROF_KERNELS_SGEMM_REFERENCE_H

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "compare.h"

/* The same function for newer processors, chosen when the program starts. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define REFERENCE_CLONES __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define REFERENCE_CLONES
#endif

enum { REFERENCE_ROWS = 4, REFERENCE_COLS = 8, REFERENCE_WORKERS = 32 };

/* m x k times k x n: the rows of A that are checked, and all of B. A and C are row-major. */
struct reference {
	int m, n, k;
	const float *a, *b;
	size_t b_k, b_n;             /* elements from one of B to the next along k and along n: n and 1 if row-major */
	bool b_magnitudes;           /* B counts without its signs */
	double *c;                   /* m x n */
	double *row_norm, *col_norm; /* Euclidean norms of the rows of A (m) and of the columns of B (n) */
};

/* Four rows of A (`a`, `stride` apart) times a panel of B (k x 8), summed into `sum`. */
REFERENCE_CLONES static void reference_tile(
	const float *a, size_t stride, const double *panel, int k, double sum[REFERENCE_ROWS][REFERENCE_COLS])
{
	double acc[REFERENCE_ROWS][REFERENCE_COLS] = {{0}};

	for (int p = 0; p < k; p++) {
		for (int row = 0; row < REFERENCE_ROWS; row++) {
			for (int col = 0; col < REFERENCE_COLS; col++)
				acc[row][col] += (double)a[row * stride + p] * panel[(size_t)p * REFERENCE_COLS + col];
		}
	}
	memcpy(sum, acc, sizeof(acc));
}

/* The last rows, fewer than a tile has. */
static void reference_row(const float *a, const double *panel, int k, double sum[REFERENCE_COLS])
{
	for (int col = 0; col < REFERENCE_COLS; col++)
		sum[col] = 0;
	for (int p = 0; p < k; p++) {
		for (int col = 0; col < REFERENCE_COLS; col++)
			sum[col] += (double)a[p] * panel[(size_t)p * REFERENCE_COLS + col];
	}
}

/* Columns first .. first + 7 of B as doubles, zero beyond the last, and their norms. */
static void reference_pack(const struct reference *r, int first, int cols, double *panel)
{
	double squares[REFERENCE_COLS] = {0};

	for (int p = 0; p < r->k; p++) {
		for (int col = 0; col < REFERENCE_COLS; col++) {
			const double value = col < cols ? r->b[(size_t)p * r->b_k + (size_t)(first + col) * r->b_n] : 0;

			panel[(size_t)p * REFERENCE_COLS + col] = r->b_magnitudes ? fabs(value) : value;
			squares[col] += value * value;
		}
	}
	for (int col = 0; col < cols; col++)
		r->col_norm[first + col] = sqrt(squares[col]);
}

static void reference_panel(const struct reference *r, int first, double *panel)
{
	const int cols = r->n - first < REFERENCE_COLS ? r->n - first : REFERENCE_COLS;
	double sum[REFERENCE_ROWS][REFERENCE_COLS];

	reference_pack(r, first, cols, panel);
	for (int row = 0; row < r->m; row += REFERENCE_ROWS) {
		const int rows = r->m - row < REFERENCE_ROWS ? r->m - row : REFERENCE_ROWS;
		const float *a = r->a + (size_t)row * r->k;

		if (rows == REFERENCE_ROWS)
			reference_tile(a, (size_t)r->k, panel, r->k, sum);
		for (int i = 0; rows < REFERENCE_ROWS && i < rows; i++)
			reference_row(a + (size_t)i * r->k, panel, r->k, sum[i]);
		for (int i = 0; i < rows; i++)
			memcpy(r->c + (size_t)(row + i) * r->n + first, sum[i], sizeof(double) * (size_t)cols);
	}
}

static void reference_row_norms(const struct reference *r)
{
	for (int row = 0; row < r->m; row++) {
		double squares = 0;

		for (int p = 0; p < r->k; p++) {
			const double value = r->a[(size_t)row * r->k + p];

			squares += value * value;
		}
		r->row_norm[row] = sqrt(squares);
	}
}

/* Every `of`-th panel, from panel `first` on. */
struct reference_job {
	const struct reference *r;
	int first, of;
	double *panel; /* room for one packed panel */
	pthread_t thread;
	bool started;
};

static void *reference_work(void *argument)
{
	const struct reference_job *job = (const struct reference_job *)argument;

	for (int first = job->first * REFERENCE_COLS; first < job->r->n; first += job->of * REFERENCE_COLS)
		reference_panel(job->r, first, job->panel);
	return NULL;
}

static int reference_workers(const struct reference *r)
{
	const int panels = (r->n + REFERENCE_COLS - 1) / REFERENCE_COLS;
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int workers = cores < 1 ? 1 : cores > REFERENCE_WORKERS ? REFERENCE_WORKERS : (int)cores;

	return workers < panels ? workers : panels;
}

/* Fills c and both norms, on all cores. Returns false if there is no memory. */
static bool reference_compute(const struct reference *r)
{
	struct reference_job job[REFERENCE_WORKERS];
	const int workers = reference_workers(r);
	const size_t panel = (size_t)r->k * REFERENCE_COLS;
	double *space = (double *)malloc(sizeof(double) * panel * (size_t)workers);

	if (!space)
		return false;
	for (int i = 0; i < workers; i++) {
		job[i].r = r;
		job[i].first = i;
		job[i].of = workers;
		job[i].panel = space + panel * (size_t)i;
		job[i].started = i > 0 && pthread_create(&job[i].thread, NULL, reference_work, &job[i]) == 0;
	}
	reference_row_norms(r);
	for (int i = 0; i < workers; i++) {
		if (job[i].started)
			pthread_join(job[i].thread, NULL);
		else
			reference_work(&job[i]); /* the first share, and those of threads that could not be had */
	}
	free(space);
	return true;
}

/* How many roundings of |a| |b| a right sum of k products, taken `repeats` times, may be off: see below. */
static double reference_growth(int k, int repeats)
{
	const double terms = (double)k * repeats + 1;

	return fmin(terms, 8 * sqrt(terms));
}

/*
 * How far a right float result of element (row, col), the sum of the k products taken `repeats` times, may be from the
 * double one. A sum of k products keeps within
 * k u sum|a b| whatever the order; as roundings point either way, it keeps within 8 sqrt(k) u sum|a b| but for a chance
 * below 1e-13 an element (Hoeffding's inequality). The smaller of the two is taken, and sum|a b| <= |a| |b|
 * (Cauchy-Schwarz) saves a second multiplication.
 * Up to k = 2048 this still tells float from TF32: in a simulation 6 % of TF32's elements were wrong at k = 1024 and
 * 0.02 % at k = 2048, which in a matrix are many. From about k = 4096 on TF32 would pass.
 */
static double reference_tolerance(const struct reference *r, int repeats, int row, int col)
{
	return reference_growth(r->k, repeats) * FLOAT_ROUNDOFF * repeats * r->row_norm[row] * r->col_norm[col];
}

#endif
