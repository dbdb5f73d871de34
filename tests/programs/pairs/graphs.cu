/* graphs.cu: a radio's signal goes through a filter, a block a round, and a round is one launch of a CUDA graph: copy
 * in, filter, envelope, copy out. `after` has several buffers, and a stream each for copies in, the graph of the two
 * kernels, and copies out, with events between them. Whole graphs in two streams by turns would fall into step: the
 * filter of one takes the GPU before the envelope of the other. For the usage see pair.h. */
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
	cudaGraphExec_t kernels;
	cudaEvent_t copied_in, computed, copied_out;
};

struct graphs {
	float *signal[BLOCKS]; /* pinned, as `levels` */
	short *levels[BLOCKS];
	std::vector<buffer> buffers;
	cudaStream_t copies_in = new_stream(), computing = new_stream(), copies_out = new_stream();
	cudaGraphExec_t round[BLOCKS];

	explicit graphs(int n)
	{
		float weight[TAPS];

		expect(BLOCKS % n == 0, "the blocks cannot take turns with so many buffers");
		for (int t = 0; t < TAPS; t++)
			weight[t] = (1.0f + cosf((float)t * 0.01f)) / TAPS;
		CHECK(cudaMemcpyToSymbol(taps, weight, sizeof weight));
		for (int i = 0; i < n; i++)
			buffers.push_back({on_gpu<float>(SAMPLES + TAPS), on_gpu<float>(SAMPLES),
				on_gpu<short>(SAMPLES), NULL, new_event(), new_event(), new_event()});
		for (buffer &b : buffers)
			b.kernels = recorded([&] { compute(b); });
		for (int b = 0; b < BLOCKS; b++) {
			signal[b] = on_host<float>(SAMPLES + TAPS);
			levels[b] = on_host<short>(SAMPLES);
			for (size_t i = 0; i < SAMPLES + TAPS; i++)
				signal[b][i] = (float)((i * 37 + b * 11) % 101) / 101 - 0.3f;
			round[b] = recorded([&] {
				copy_in(b, buffers[0], computing);
				compute(buffers[0]);
				copy_out(b, buffers[0], computing);
			});
		}
	}

	/* A graph of what `ask` asks for in the stream that computes. */
	template <class Ask> cudaGraphExec_t recorded(Ask ask)
	{
		cudaGraph_t graph;
		cudaGraphExec_t ready;

		CHECK(cudaStreamBeginCapture(computing, cudaStreamCaptureModeThreadLocal));
		ask();
		CHECK(cudaStreamEndCapture(computing, &graph));
		CHECK(cudaGraphInstantiate(&ready, graph, 0));
		CHECK(cudaGraphDestroy(graph));
		return ready;
	}

	void copy_in(int block, const buffer &b, cudaStream_t stream)
	{
		CHECK(cudaMemcpyAsync(
			b.signal, signal[block], (SAMPLES + TAPS) * sizeof(float), cudaMemcpyHostToDevice, stream));
	}

	void compute(const buffer &b)
	{
		filter<<<blocks_of(SAMPLES, BLOCK), BLOCK, 0, computing>>>(b.signal, b.filtered, SAMPLES);
		envelope<<<blocks_of(SAMPLES, BLOCK), BLOCK, 0, computing>>>(b.filtered, b.levels, SAMPLES);
		CHECK(cudaGetLastError());
	}

	void copy_out(int block, const buffer &b, cudaStream_t stream)
	{
		CHECK(cudaMemcpyAsync(
			levels[block], b.levels, SAMPLES * sizeof(short), cudaMemcpyDeviceToHost, stream));
	}

	void start()
	{
		for (short *block : levels)
			memset(block, 0, SAMPLES * sizeof(short));
	}

	void before(int rounds)
	{
		for (int r = 0; r < rounds; r++)
			CHECK(cudaGraphLaunch(round[r % BLOCKS], computing));
	}

	void after(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			const buffer &b = buffers[r % buffers.size()];

			CHECK(cudaStreamWaitEvent(copies_in, b.computed, 0)); /* of the round that had this buffer */
			copy_in(r % BLOCKS, b, copies_in);
			CHECK(cudaEventRecord(b.copied_in, copies_in));
			CHECK(cudaStreamWaitEvent(computing, b.copied_in, 0));
			CHECK(cudaStreamWaitEvent(computing, b.copied_out, 0));
			CHECK(cudaGraphLaunch(b.kernels, computing));
			CHECK(cudaEventRecord(b.computed, computing));
			CHECK(cudaStreamWaitEvent(copies_out, b.computed, 0));
			copy_out(r % BLOCKS, b, copies_out);
			CHECK(cudaEventRecord(b.copied_out, copies_out));
		}
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
