/*
 * stages.cu: CUDA kernels whose ring in shared memory has one to six tiles, filled by cp.async: what more stages bring,
 * as measured. It prints what points.py prints: KIND POINT STAGES NS LOW HIGH REGISTERS SHARED SPILLS HASH, with "-"
 * for the hash.
 *
 * usage: stages [PART-OF-A-NAME]
 * For each point and number of stages a CUDA graph of launches is timed by events, the stages by turns, forwards and
 * backwards. A kernel asks for the tile that comes STAGES - 1 tiles later, waits for its own, and uses it. */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static const int max_stages = 6, turns = 15, warm_turns = 2;
static const double batch_ns = 300e3;

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
template <int THREADS, int VECTORS, int WORK> static __device__ float use(const float4 *tile, float sum)
{
	for (int v = 0; v < VECTORS; v++) {
		float4 x = tile[v * THREADS + (threadIdx.x + 33) % THREADS];

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
		sum = use<THREADS, VECTORS, WORK>(ring + t % STAGES * tile, sum);
		__syncthreads();
	}
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* c = a b in tiles of SIDE x SIDE, DEPTH deep; each of (SIDE / 8)^2 threads has 8 x 8 results. a is stored by columns.
 */
template <int STAGES, int SIDE, int DEPTH>
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
	std::vector<version> versions; /* of 1 stage and more */
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

static bool prepare(version &v, cudaStream_t stream)
{
	if (cudaFuncSetAttribute(v.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)v.shared) != cudaSuccess) {
		cudaGetLastError();
		return false;
	}
	cudaGraphExec_t trial = graph_of(v, 4, stream);

	elapsed_ns(trial, stream);
	v.launches = std::max(4, (int)(batch_ns / (elapsed_ns(trial, stream) / 4)));
	CHECK(cudaGraphExecDestroy(trial));
	v.graph = graph_of(v, v.launches, stream);
	return true;
}

static double quantile(std::vector<double> sorted, double part)
{
	return sorted[(size_t)(part * (double)(sorted.size() - 1) + 0.5)];
}

static void tell(const point &p, int stages, version &v)
{
	cudaFuncAttributes has;

	CHECK(cudaFuncGetAttributes(&has, v.kernel));
	v.times.erase(v.times.begin(), v.times.begin() + warm_turns);
	std::sort(v.times.begin(), v.times.end());
	printf("cuda %s %d %.1f %.1f %.1f %d %zu %zu -\n", p.name.c_str(), stages, quantile(v.times, 0.5),
		quantile(v.times, 0.25), quantile(v.times, 0.75), has.numRegs, v.shared + has.sharedSizeBytes,
		has.localSizeBytes);
}

static void time_point(point &p, cudaStream_t stream)
{
	size_t fit = 0;

	while (fit < p.versions.size() && prepare(p.versions[fit], stream))
		fit++;
	for (int turn = 0; turn < turns + warm_turns; turn++)
		for (size_t i = 0; i < fit; i++) {
			version &v = p.versions[turn % 2 ? fit - 1 - i : i];

			v.times.push_back(elapsed_ns(v.graph, stream) / v.launches);
		}
	for (size_t i = 0; i < p.versions.size(); i++)
		if (i < fit)
			tell(p, (int)i + 1, p.versions[i]);
		else
			printf("cuda %s %zu shared-memory\n", p.name.c_str(), i + 1);
	for (size_t i = 0; i < fit; i++)
		CHECK(cudaGraphExecDestroy(p.versions[i].graph));
	fflush(stdout);
}

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
	add_streams<max_stages, THREADS, VECTORS, WORK, HOPS>(p, d, blocks_per_sm, tiles);
	return p;
}

template <int STAGES, int SIDE, int DEPTH> static void add_products(point &p, data &d, int n)
{
	size_t shared = (size_t)STAGES * 2 * SIDE * DEPTH * sizeof(float);

	if constexpr (STAGES > 1)
		add_products<STAGES - 1, SIDE, DEPTH>(p, d, n);
	p.versions.push_back({(const void *)multiply_tiles<STAGES, SIDE, DEPTH>, dim3(n / SIDE, n / SIDE),
		SIDE * SIDE / 64, shared, {&d.in, &d.other, &d.out, kept(n)}});
}

template <int SIDE, int DEPTH> static point products(data &d, int n)
{
	char name[99];
	point p;

	snprintf(name, sizeof(name), "product-side-%d-depth-%d-n-%d", SIDE, DEPTH, n);
	p.name = name;
	add_products<max_stages, SIDE, DEPTH>(p, d, n);
	return p;
}

static std::vector<point> all_points(data &d)
{
	return {streams<64, 1, 1, false>(d, 2, 16), streams<64, 1, 8, false>(d, 2, 16),
		streams<64, 1, 32, false>(d, 2, 16), streams<128, 1, 1, false>(d, 1, 512),
		streams<128, 1, 8, false>(d, 4, 512), streams<128, 2, 8, false>(d, 4, 512),
		streams<128, 2, 32, false>(d, 4, 512), streams<128, 4, 4, false>(d, 2, 512),
		streams<256, 1, 1, false>(d, 8, 512), streams<256, 1, 16, false>(d, 8, 512),
		streams<256, 2, 2, false>(d, 4, 512), streams<256, 4, 2, false>(d, 2, 512),
		streams<256, 4, 16, false>(d, 3, 512), streams<256, 1, 64, false>(d, 4, 16),
		streams<128, 2, 64, false>(d, 8, 64), streams<512, 2, 2, false>(d, 2, 512),
		streams<512, 1, 16, false>(d, 4, 16), streams<64, 4, 4, false>(d, 8, 512),
		streams<64, 1, 2, true>(d, 4, 64), streams<128, 1, 8, true>(d, 4, 512),
		streams<256, 1, 2, true>(d, 8, 512), streams<256, 2, 16, true>(d, 2, 64), products<64, 8>(d, 1024),
		products<64, 16>(d, 1024), products<64, 16>(d, 2048), products<128, 8>(d, 1024),
		products<128, 8>(d, 4096), products<128, 16>(d, 2048)};
}

static data make_data()
{
	const size_t bytes = (size_t)512 << 20, tiles = bytes / (64 * sizeof(float4));
	std::vector<float> values(bytes / sizeof(float));
	std::vector<int> hops(tiles);
	unsigned state = 1;
	data d;

	for (float &value : values)
		value = (float)((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
	/* Any permutation of the first tiles of a launch would do: an odd factor makes one of each power of two. */
	for (size_t i = 0; i < tiles; i++)
		hops[i] = (int)(i * 2654435761u % 16384);
	CHECK(cudaMalloc(&d.in, bytes));
	CHECK(cudaMalloc(&d.other, bytes));
	CHECK(cudaMalloc(&d.out, (size_t)128 << 20));
	CHECK(cudaMalloc(&d.hop, tiles * sizeof(int)));
	CHECK(cudaMemcpy(d.in, values.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d.other, values.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d.hop, hops.data(), tiles * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaDeviceGetAttribute(&d.sms, cudaDevAttrMultiProcessorCount, 0));
	return d;
}

int main(int argc, char **argv)
{
	cudaStream_t stream;

	CHECK(cudaStreamCreate(&stream));
	data d = make_data();

	for (point &p : all_points(d))
		if (argc < 2 || strstr(p.name.c_str(), argv[1]))
			time_point(p, stream);
	return 0;
}
