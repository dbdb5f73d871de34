/* graphs.cu: a radio's signal goes through a filter, a block a round, and a round is one launch of a CUDA graph: copy
 * in, filter, envelope, copy out. All graphs of `before` use one buffer and go into one stream; `after` has graphs with
 * several buffers, and a stream for each. For the usage see pair.h. */
#include "pair.h"

#include <math.h>

enum { TAPS = 1024, BLOCK = 256, BLOCKS = 8 }; /* BLOCKS: of the signal; they come again and again */
static const size_t SAMPLES = 1 << 22;         /* in a block */

__constant__ float taps[TAPS];

__global__ void filter(const float *signal, float *filtered, size_t n)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (i >= n)
		return;
	for (int t = 0; t < TAPS; t++)
		sum = fmaf(taps[t], signal[i + t], sum);
	filtered[i] = sum;
}

__global__ void envelope(const float *filtered, short *levels, size_t n)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		levels[i] = (short)(1000.0f * fabsf(filtered[i]));
}

struct buffer {
	float *signal, *filtered;
	short *levels;
	cudaStream_t stream;
};

struct graphs {
	float *signal[BLOCKS]; /* pinned, as `levels` */
	short *levels[BLOCKS];
	std::vector<buffer> buffers;
	cudaGraphExec_t one[BLOCKS], several[BLOCKS];

	explicit graphs(int n)
	{
		float weight[TAPS];

		expect(BLOCKS % n == 0, "the blocks cannot take turns with so many buffers");
		for (int t = 0; t < TAPS; t++)
			weight[t] = (1.0f + cosf((float)t * 0.01f)) / TAPS;
		CHECK(cudaMemcpyToSymbol(taps, weight, sizeof weight));
		for (int i = 0; i < n; i++)
			buffers.push_back({on_gpu<float>(SAMPLES + TAPS), on_gpu<float>(SAMPLES),
				on_gpu<short>(SAMPLES), new_stream()});
		for (int b = 0; b < BLOCKS; b++) {
			signal[b] = on_host<float>(SAMPLES + TAPS);
			levels[b] = on_host<short>(SAMPLES);
			for (size_t i = 0; i < SAMPLES + TAPS; i++)
				signal[b][i] = (float)((i * 37 + b * 11) % 101) / 101 - 0.3f;
			one[b] = record(b, buffers[0]);
			several[b] = record(b, buffers[b % n]);
		}
	}

	cudaGraphExec_t record(int block, const buffer &b)
	{
		cudaGraph_t graph;
		cudaGraphExec_t ready;

		CHECK(cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal));
		CHECK(cudaMemcpyAsync(
			b.signal, signal[block], (SAMPLES + TAPS) * sizeof(float), cudaMemcpyHostToDevice, b.stream));
		filter<<<blocks_of(SAMPLES, BLOCK), BLOCK, 0, b.stream>>>(b.signal, b.filtered, SAMPLES);
		envelope<<<blocks_of(SAMPLES, BLOCK), BLOCK, 0, b.stream>>>(b.filtered, b.levels, SAMPLES);
		CHECK(cudaMemcpyAsync(
			levels[block], b.levels, SAMPLES * sizeof(short), cudaMemcpyDeviceToHost, b.stream));
		CHECK(cudaStreamEndCapture(b.stream, &graph));
		CHECK(cudaGraphInstantiate(&ready, graph, 0));
		CHECK(cudaGraphDestroy(graph));
		return ready;
	}

	void start()
	{
		for (short *block : levels)
			memset(block, 0, SAMPLES * sizeof(short));
	}

	void before(int rounds)
	{
		for (int r = 0; r < rounds; r++)
			CHECK(cudaGraphLaunch(one[r % BLOCKS], buffers[0].stream));
	}

	void after(int rounds)
	{
		for (int r = 0; r < rounds; r++)
			CHECK(cudaGraphLaunch(several[r % BLOCKS], buffers[r % buffers.size()].stream));
	}

	unsigned long long result(int)
	{
		unsigned long long sum = 0;

		for (int b = 0; b < BLOCKS; b++) {
			double want = 0;

			for (int t = 0; t < TAPS; t++)
				want += (1 + cos(t * 0.01)) / TAPS * signal[b][SAMPLES - 1 + (size_t)t];
			expect(fabs(levels[b][SAMPLES - 1] - 1000 * fabs(want)) < 2,
				"a level is not that of the filter");
			sum = checksum(sum, levels[b], SAMPLES);
		}
		return sum;
	}
};

int main(int argc, char **argv)
{
	return pair_main<graphs>(argc, argv, 80, "receive");
}
