/*
 * stages.cu: CUDA kernels whose ring in shared memory has one to six tiles, filled by cp.async: what more stages bring,
 * as measured. Modes and lines are those of points.py; the kind is "cuda".
 *
 * usage: stages list [WHICH]...   prints cuda POINT AS-RUN of each point; needs no GPU
 *        stages time [WHICH]...   prints cuda POINT AS-RUN, then a line for each number of stages:
 *                                 cuda POINT STAGES NS LOW HIGH REGISTERS SHARED SPILLS HASH, with "-" for the hash
 *        stages run [WHICH]...    launches each point as run, 128 times; prints cuda POINT AS-RUN KERNEL GRID BLOCK,
 * KERNEL is the mangled name stages once [WHICH]...   launches each point with each number of stages once, between
 * cudaProfilerStart and cudaProfilerStop, in the order of its lines cuda POINT STAGES KERNEL stages check [WHICH]...
 * compares results with the CPU's: cuda POINT STAGES ok|wrong ERROR; ERROR is the part of the results looked at that
 * differ in a bit; exit status 1 if wrong WHICH is "cuda" or part of a point's name. A number of stages that does not
 * fit has the reason in place of what follows STAGES.
 *
 * A kernel asks for the tile that comes STAGES - 1 tiles later, waits for its own, and uses it. */
#include <cuda_pipeline.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

static const int max_stages = 6;
/* The number of stages as run, by place in the list of points. */
static const int as_run[] = {1, 3, 2, 4};
static const int launches_as_run = 128;
static const int least_turns = 15, most_turns = 45, least_warm_turns = 2;
static const double batch_ns = 300e3, warm_ns = 50e6, timed_ns = 100e6;
/* Results that a check looks at. */
static const size_t looked_at = 257;

#define CHECK(call) check_call((call), #call)
static void check_call(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "stages: %s: %s\n", call, cudaGetErrorString(error));
	exit(1);
}

/* A tile of `vectors` times 16 bytes per thread comes to `ring`. */
template <int THREADS, int VECTORS> static __device__ void ask(float4 *ring, const float4 *from)
{
	for (int v = 0; v < VECTORS; v++)
		__pipeline_memcpy_async(
			ring + v * THREADS + threadIdx.x, from + v * THREADS + threadIdx.x, sizeof(float4));
}

/* Threads use what other threads loaded, so that each tile needs barriers: `WORK` multiply-adds for each of its
 * elements. */
template <int THREADS, int VECTORS, int WORK>
static __host__ __device__ float use(const float4 *tile, unsigned thread, float sum)
{
	for (int v = 0; v < VECTORS; v++) {
		float4 x = tile[v * THREADS + (thread + 33) % THREADS];

		for (int w = 0; w < WORK; w++) {
			sum = fmaf(x.x, sum, x.y);
			x.y = fmaf(x.z, x.w, x.y);
			x.z = fmaf(x.w, x.y, x.z);
			x.w = fmaf(x.x, x.z, x.w);
		}
	}
	return sum;
}

/* Each block goes over `tiles` tiles that lie behind each other, or (HOPS) where an index says. */
template <int STAGES, int THREADS, int VECTORS, int WORK, bool HOPS>
static __global__ void __launch_bounds__(THREADS) stream_tiles(const float4 *in, const int *hop, float *out, int tiles)
{
	extern __shared__ float4 ring[];
	const int tile = THREADS * VECTORS;
	const size_t first = (size_t)blockIdx.x * tiles;
	float sum = 0;

	for (int t = 0; t < STAGES - 1; t++) {
		if (t < tiles)
			ask<THREADS, VECTORS>(ring + t * tile, in + (HOPS ? (size_t)hop[first + t] : first + t) * tile);
		__pipeline_commit();
	}
	for (int t = 0; t < tiles; t++) {
		int next = t + STAGES - 1;

		if (next < tiles)
			ask<THREADS, VECTORS>(ring + next % STAGES * tile,
				in + (HOPS ? (size_t)hop[first + next] : first + next) * tile);
		__pipeline_commit();
		__pipeline_wait_prior(STAGES - 1);
		__syncthreads();
		sum = use<THREADS, VECTORS, WORK>(ring + t % STAGES * tile, threadIdx.x, sum);
		__syncthreads();
	}
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* c = a b in tiles of SIDE x SIDE, DEPTH deep; each of (SIDE / 8)^2 threads has 8 x 8 results. a is stored by columns.
 * POINT is there for the name: points of different n have kernels of their own. */
template <int STAGES, int SIDE, int DEPTH, int POINT>
static __global__ void __launch_bounds__(SIDE *SIDE / 64)
	multiply_tiles(const float *a, const float *b, float *c, int n)
{
	extern __shared__ float4 ring[];
	const int threads = SIDE * SIDE / 64, tile = SIDE * DEPTH, row = blockIdx.y * SIDE, column = blockIdx.x * SIDE;
	float *const shared = (float *)ring;
	float sum[8][8] = {};
	const int x = threadIdx.x % (SIDE / 8) * 8, y = threadIdx.x / (SIDE / 8) * 8;

	auto load = [&](int t) {
		float *to = shared + t % STAGES * 2 * tile;

		for (int i = threadIdx.x * 4; i < tile; i += threads * 4) {
			size_t k = (size_t)(t * DEPTH + i / SIDE) * n + i % SIDE;

			__pipeline_memcpy_async(to + i, a + k + row, sizeof(float4));
			__pipeline_memcpy_async(to + tile + i, b + k + column, sizeof(float4));
		}
	};
	const int tiles = n / DEPTH;

	for (int t = 0; t < STAGES - 1; t++) {
		load(t);
		__pipeline_commit();
	}
	for (int t = 0; t < tiles; t++) {
		if (t + STAGES - 1 < tiles)
			load(t + STAGES - 1);
		__pipeline_commit();
		__pipeline_wait_prior(STAGES - 1);
		__syncthreads();
		const float *left = shared + t % STAGES * 2 * tile, *right = left + tile;

		for (int k = 0; k < DEPTH; k++)
			for (int i = 0; i < 8; i++)
				for (int j = 0; j < 8; j++)
					sum[i][j] = fmaf(left[k * SIDE + y + i], right[k * SIDE + x + j], sum[i][j]);
		__syncthreads();
	}
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++)
			c[(size_t)(row + y + i) * n + column + x + j] = sum[i][j];
}

struct data {
	std::vector<float> values; /* what `in` and `other` hold */
	std::vector<int> hops;     /* what `hop` holds */
	float *in, *other, *out;
	int *hop;
	int sms;
};

/* A kernel with one of the numbers of stages, ready to be launched. */
struct version {
	const void *kernel;
	dim3 grid;
	int threads;
	size_t shared;
	std::vector<void *> arguments; /* pointers to what outlives the launch */
	cudaGraphExec_t graph;
	int launches;
	std::vector<double> times; /* of a launch, ns */
};

struct point {
	std::string name;
	std::vector<version> versions;         /* of 1 stage and more */
	size_t results;                        /* elements of `out` */
	std::function<float(size_t)> expected; /* of a result, on the CPU */
	int as_run;
};

static void launch(const version &v, cudaStream_t stream)
{
	CHECK(cudaLaunchKernel(v.kernel, v.grid, dim3(v.threads), (void **)v.arguments.data(), v.shared, stream));
}

static cudaGraphExec_t graph_of(const version &v, int launches, cudaStream_t stream)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	for (int i = 0; i < launches; i++)
		launch(v, stream);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaGraphDestroy(graph));
	return exec;
}

static double elapsed_ns(cudaGraphExec_t graph, cudaStream_t stream)
{
	static cudaEvent_t start, end;
	float ms;

	if (!start) {
		CHECK(cudaEventCreate(&start));
		CHECK(cudaEventCreate(&end));
	}
	CHECK(cudaEventRecord(start, stream));
	CHECK(cudaGraphLaunch(graph, stream));
	CHECK(cudaEventRecord(end, stream));
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&ms, start, end));
	return ms * 1e6;
}

/* How many of a point's versions, from the first, the GPU can launch. */
static size_t versions_that_fit(const point &p)
{
	size_t fit = 0;

	while (fit < p.versions.size() &&
		cudaFuncSetAttribute(p.versions[fit].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
			(int)p.versions[fit].shared) == cudaSuccess)
		fit++;
	cudaGetLastError();
	return fit;
}

static void tell_what_does_not_fit(const point &p, size_t fit)
{
	for (size_t i = fit; i < p.versions.size(); i++)
		printf("cuda %s %zu shared-memory\n", p.name.c_str(), i + 1);
}

/* ---- times ---- */

static void prepare(version &v, cudaStream_t stream)
{
	cudaGraphExec_t trial = graph_of(v, 4, stream);

	elapsed_ns(trial, stream);
	v.launches = std::max(4, (int)(batch_ns / (elapsed_ns(trial, stream) / 4)));
	CHECK(cudaGraphExecDestroy(trial));
	v.graph = graph_of(v, v.launches, stream);
}

static double quantile(const std::vector<double> &sorted, double part)
{
	return sorted[(size_t)(part * (double)(sorted.size() - 1) + 0.5)];
}

static void tell_times(const point &p, int stages, version &v)
{
	cudaFuncAttributes has;

	CHECK(cudaFuncGetAttributes(&has, v.kernel));
	std::sort(v.times.begin(), v.times.end());
	printf("cuda %s %d %.1f %.1f %.1f %d %zu %zu -\n", p.name.c_str(), stages, quantile(v.times, 0.5),
		quantile(v.times, 0.25), quantile(v.times, 0.75), has.numRegs, v.shared + has.sharedSizeBytes,
		has.localSizeBytes);
}

/* Of all graphs, ns. */
static double turn(point &p, size_t fit, bool backwards, cudaStream_t stream)
{
	double sum = 0;

	for (size_t i = 0; i < fit; i++) {
		version &v = p.versions[backwards ? fit - 1 - i : i];
		double ns = elapsed_ns(v.graph, stream);

		v.times.push_back(ns / v.launches);
		sum += ns;
	}
	return sum;
}

/* Turns before those that count, since clocks rise: ns of the last. */
static double warm(point &p, size_t fit, cudaStream_t stream)
{
	double spent = 0, last = 0;

	for (int i = 0; spent < warm_ns || i < least_warm_turns; i++) {
		last = turn(p, fit, i % 2, stream);
		spent += last;
	}
	for (size_t i = 0; i < fit; i++)
		p.versions[i].times.clear();
	return last;
}

static bool time_point(point &p, cudaStream_t stream)
{
	const size_t fit = versions_that_fit(p);

	printf("cuda %s %d\n", p.name.c_str(), p.as_run);
	for (size_t i = 0; i < fit; i++)
		prepare(p.versions[i], stream);
	if (fit) {
		int turns = std::min(most_turns, std::max(least_turns, (int)(timed_ns / warm(p, fit, stream))));

		for (int i = 0; i < turns; i++)
			turn(p, fit, i % 2, stream);
	}
	for (size_t i = 0; i < fit; i++) {
		tell_times(p, (int)i + 1, p.versions[i]);
		CHECK(cudaGraphExecDestroy(p.versions[i].graph));
	}
	tell_what_does_not_fit(p, fit);
	return true;
}

/* ---- other uses ---- */

static bool list_point(point &p, cudaStream_t)
{
	printf("cuda %s %d\n", p.name.c_str(), p.as_run);
	return true;
}

static const char *name_of(const version &v)
{
	const char *name;

	CHECK(cudaFuncGetName(&name, v.kernel));
	return name;
}

static bool run_point(point &p, cudaStream_t stream)
{
	const version &v = p.versions[p.as_run - 1];

	if (versions_that_fit(p) < (size_t)p.as_run) {
		printf("cuda %s %d shared-memory\n", p.name.c_str(), p.as_run);
		return true;
	}
	printf("cuda %s %d %s %ux%ux%u %dx1x1\n", p.name.c_str(), p.as_run, name_of(v), v.grid.x, v.grid.y, v.grid.z,
		v.threads);
	for (int i = 0; i < launches_as_run; i++)
		launch(v, stream);
	CHECK(cudaStreamSynchronize(stream));
	return true;
}

static bool launch_once(point &p, cudaStream_t stream)
{
	const size_t fit = versions_that_fit(p);

	for (size_t i = 0; i < fit; i++)
		launch(p.versions[i], stream);
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaProfilerStart());
	for (size_t i = 0; i < fit; i++) {
		printf("cuda %s %zu %s\n", p.name.c_str(), i + 1, name_of(p.versions[i]));
		launch(p.versions[i], stream);
		CHECK(cudaStreamSynchronize(stream));
	}
	CHECK(cudaProfilerStop());
	tell_what_does_not_fit(p, fit);
	return true;
}

/* A launch of `v` writes to `d.out`. */
static bool check_version(const point &p, int stages, const version &v, float *out, cudaStream_t stream)
{
	std::vector<float> got(p.results);
	size_t wrong = 0;

	CHECK(cudaMemsetAsync(out, 0x7f, p.results * sizeof(float), stream));
	launch(v, stream);
	CHECK(cudaMemcpyAsync(got.data(), out, p.results * sizeof(float), cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
	for (size_t k = 0; k < looked_at; k++) {
		size_t i = k * (p.results - 1) / (looked_at - 1);
		float want = p.expected(i);

		wrong += got[i] != want && !(std::isnan(got[i]) && std::isnan(want));
	}
	printf("cuda %s %d %s %.2g\n", p.name.c_str(), stages, wrong ? "wrong" : "ok", (double)wrong / looked_at);
	return !wrong;
}

static bool check_point(point &p, cudaStream_t stream)
{
	const size_t fit = versions_that_fit(p);
	bool right = true;

	for (size_t i = 0; i < fit; i++) {
		float *out = *(float **)p.versions[i].arguments[2];

		right = check_version(p, (int)i + 1, p.versions[i], out, stream) && right;
	}
	tell_what_does_not_fit(p, fit);
	return right;
}

/* ---- the points ---- */

/* What outlives a launch's arguments. */
static int *kept(int value)
{
	return new int(value);
}

template <int STAGES, int THREADS, int VECTORS, int WORK, bool HOPS>
static void add_streams(point &p, data &d, int blocks_per_sm, int tiles)
{
	size_t shared = (size_t)STAGES * THREADS * VECTORS * sizeof(float4);

	if constexpr (STAGES > 1)
		add_streams<STAGES - 1, THREADS, VECTORS, WORK, HOPS>(p, d, blocks_per_sm, tiles);
	p.versions.push_back({(const void *)stream_tiles<STAGES, THREADS, VECTORS, WORK, HOPS>,
		dim3(blocks_per_sm * d.sms), THREADS, shared, {&d.in, &d.hop, &d.out, kept(tiles)}});
}

/* `mib` is what a launch reads. */
template <int THREADS, int VECTORS, int WORK, bool HOPS> static point streams(data &d, int blocks_per_sm, int mib)
{
	char name[99];
	int tiles = (int)(((size_t)mib << 20) / (THREADS * VECTORS * sizeof(float4)) / (size_t)(blocks_per_sm * d.sms));
	point p;

	snprintf(name, sizeof(name), "%s-threads-%d-vectors-%d-work-%d-blocks-%d-mib-%d", HOPS ? "gather" : "stream",
		THREADS, VECTORS, WORK, blocks_per_sm, mib);
	p.name = name;
	p.results = (size_t)(blocks_per_sm * d.sms) * THREADS;
	p.expected = [&d, tiles](size_t result) {
		size_t first = result / THREADS * tiles;
		float sum = 0;

		for (size_t t = first; t < first + tiles; t++)
			sum = use<THREADS, VECTORS, WORK>(
				(const float4 *)d.values.data() + (HOPS ? d.hops[t] : t) * THREADS * VECTORS,
				(unsigned)(result % THREADS), sum);
		return sum;
	};
	add_streams<max_stages, THREADS, VECTORS, WORK, HOPS>(p, d, blocks_per_sm, tiles);
	return p;
}

template <int STAGES, int SIDE, int DEPTH, int POINT> static void add_products(point &p, data &d, int n)
{
	size_t shared = (size_t)STAGES * 2 * SIDE * DEPTH * sizeof(float);

	if constexpr (STAGES > 1)
		add_products<STAGES - 1, SIDE, DEPTH, POINT>(p, d, n);
	p.versions.push_back({(const void *)multiply_tiles<STAGES, SIDE, DEPTH, POINT>, dim3(n / SIDE, n / SIDE),
		SIDE * SIDE / 64, shared, {&d.in, &d.other, &d.out, kept(n)}});
}

template <int SIDE, int DEPTH, int N> static point products(data &d)
{
	char name[99];
	point p;

	snprintf(name, sizeof(name), "product-side-%d-depth-%d-n-%d", SIDE, DEPTH, N);
	p.name = name;
	p.results = (size_t)N * N;
	p.expected = [&d](size_t result) {
		float sum = 0;

		for (size_t k = 0; k < N; k++)
			sum = fmaf(d.values[k * N + result / N], d.values[k * N + result % N], sum);
		return sum;
	};
	add_products<max_stages, SIDE, DEPTH, N>(p, d, N);
	return p;
}

/* In this order: a new point goes to the end, since its place says with how many stages it runs. */
static std::vector<point> all_points(data &d)
{
	std::vector<point> points = {streams<64, 1, 1, false>(d, 2, 16), streams<64, 1, 8, false>(d, 2, 16),
		streams<64, 1, 32, false>(d, 2, 16), streams<128, 1, 1, false>(d, 1, 512),
		streams<128, 1, 8, false>(d, 4, 512), streams<128, 2, 8, false>(d, 4, 512),
		streams<128, 2, 32, false>(d, 4, 512), streams<128, 4, 4, false>(d, 2, 512),
		streams<256, 1, 1, false>(d, 8, 512), streams<256, 1, 16, false>(d, 8, 512),
		streams<256, 2, 2, false>(d, 4, 512), streams<256, 4, 2, false>(d, 2, 512),
		streams<256, 4, 16, false>(d, 3, 512), streams<256, 1, 64, false>(d, 4, 16),
		streams<128, 2, 64, false>(d, 8, 64), streams<512, 2, 2, false>(d, 2, 512),
		streams<512, 1, 16, false>(d, 4, 16), streams<64, 4, 4, false>(d, 8, 512),
		streams<64, 1, 2, true>(d, 4, 64), streams<128, 1, 8, true>(d, 4, 512),
		streams<256, 1, 2, true>(d, 8, 512), streams<256, 2, 16, true>(d, 2, 64), products<64, 8, 1024>(d),
		products<64, 16, 1024>(d), products<64, 16, 2048>(d), products<128, 8, 1024>(d),
		products<128, 8, 4096>(d), products<128, 16, 2048>(d), streams<32, 1, 4, false>(d, 8, 64),
		streams<128, 1, 16, false>(d, 2, 64), streams<256, 1, 4, false>(d, 1, 16),
		streams<128, 4, 16, true>(d, 2, 512), streams<64, 2, 4, true>(d, 8, 16), products<64, 32, 1024>(d)};

	for (size_t i = 0; i < points.size(); i++)
		points[i].as_run = as_run[i % (sizeof(as_run) / sizeof(*as_run))];
	return points;
}

static void make_data(data &d)
{
	const size_t bytes = (size_t)512 << 20, tiles = bytes / (64 * sizeof(float4));
	unsigned state = 1;

	d.values.resize(bytes / sizeof(float));
	d.hops.resize(tiles);
	for (float &value : d.values)
		value = (float)((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
	/* Any permutation of the first tiles of a launch would do: an odd factor makes one of each power of two. */
	for (size_t i = 0; i < tiles; i++)
		d.hops[i] = (int)(i * 2654435761u % 16384);
	CHECK(cudaMalloc(&d.in, bytes));
	CHECK(cudaMalloc(&d.other, bytes));
	CHECK(cudaMalloc(&d.out, (size_t)128 << 20));
	CHECK(cudaMalloc(&d.hop, tiles * sizeof(int)));
	CHECK(cudaMemcpy(d.in, d.values.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d.other, d.values.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d.hop, d.hops.data(), tiles * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaDeviceGetAttribute(&d.sms, cudaDevAttrMultiProcessorCount, 0));
}

static bool chosen(const point &p, char **which)
{
	if (!*which)
		return true;
	for (; *which; which++)
		if (!strcmp(*which, "cuda") || strstr(p.name.c_str(), *which))
			return true;
	return false;
}

static const struct mode {
	const char *word;
	bool (*do_point)(point &p, cudaStream_t stream); /* false: results are wrong */
} modes[] = {
	{"list", list_point}, {"time", time_point}, {"run", run_point}, {"once", launch_once}, {"check", check_point}};

static const mode *mode_named(const char *word)
{
	for (const mode &m : modes)
		if (word && !strcmp(m.word, word))
			return &m;
	fprintf(stderr, "usage: stages list|time|run|once|check [WHICH]...\n");
	exit(2);
}

int main(int, char **argv)
{
	const mode *m = mode_named(argv[1]);
	const bool needs_gpu = m->do_point != list_point;
	cudaStream_t stream = nullptr;
	bool right = true;
	data d = {};

	d.sms = 1; /* a list is the same for any number */
	if (needs_gpu) {
		make_data(d);
		CHECK(cudaStreamCreate(&stream));
	}
	for (point &p : all_points(d))
		if (chosen(p, argv + 2)) {
			right = m->do_point(p, stream) && right;
			fflush(stdout);
		}
	return right ? 0 : 1;
}
