/* stencil.cu: heat spreads over a plate that the GPU has no room for, a slab a round: the slab and the edges of its two
 * neighbours (the halo) are copied in, some time steps follow, and the slab is copied out. `before` does so in one
 * stream. `after` has a stream each for copies in, computation and copies out, and events between them. For the usage
 * see pair.h. */
#include "pair.h"

#include <math.h>

enum {
	COLUMNS = 4096,
	ROWS = 2048,
	HALO = 64,
	SLABS = 8,
	BLOCK = 256
}; /* a slab's rows; time steps in a round: HALO */
static const size_t SLAB = (size_t)ROWS * COLUMNS, EDGE = (size_t)HALO * COLUMNS, PADDED = SLAB + 2 * EDGE;

/* Cells at the border of what is here stay. Each step makes one more row at each end of the slab's halo wrong. */
__global__ void spread(const float *from, float *to, int rows)
{
	const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), row = i / COLUMNS, column = i % COLUMNS;

	if (row >= rows)
		return;
	if (row == 0 || row == rows - 1 || column == 0 || column == COLUMNS - 1)
		to[i] = from[i];
	else
		to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - COLUMNS] + from[i + COLUMNS]);
}

struct buffer {
	float *cells[2];
	cudaEvent_t copied_in, computed, copied_out;
};

struct plate {
	float *slab[SLABS], *next[SLABS]; /* pinned; a round reads slabs and writes into `next` */
	float *outside;                   /* the halo at the plate's ends */
	std::vector<buffer> buffers;
	cudaStream_t copies_in = new_stream(), kernels = new_stream(), copies_out = new_stream();

	/* A slope, which heat leaves as it is, and one hot place. */
	explicit plate(int n)
	{
		outside = on_host<float>(EDGE);
		for (int s = 0; s < SLABS; s++) {
			slab[s] = on_host<float>(SLAB);
			next[s] = on_host<float>(SLAB);
			for (size_t i = 0; i < SLAB; i++)
				slab[s][i] = (float)(i % COLUMNS);
			slab[s][SLAB / 2 + COLUMNS / 2] += 1e4f;
		}
		for (size_t i = 0; i < EDGE; i++)
			outside[i] = (float)(i % COLUMNS);
		for (int i = 0; i < n; i++)
			buffers.push_back({{on_gpu<float>(PADDED), on_gpu<float>(PADDED)}, new_event(), new_event(),
				new_event()});
	}

	void start()
	{
		for (float *s : next)
			memset(s, 0, SLAB * sizeof(float));
	}

	void copy_in(int s, const buffer &b, cudaStream_t stream)
	{
		const float *above = s > 0 ? slab[s - 1] + SLAB - EDGE : outside;
		const float *below = s < SLABS - 1 ? slab[s + 1] : outside;
		float *to = b.cells[0];

		CHECK(cudaMemcpyAsync(to, above, EDGE * sizeof(float), cudaMemcpyHostToDevice, stream));
		CHECK(cudaMemcpyAsync(to + EDGE, slab[s], SLAB * sizeof(float), cudaMemcpyHostToDevice, stream));
		CHECK(cudaMemcpyAsync(to + EDGE + SLAB, below, EDGE * sizeof(float), cudaMemcpyHostToDevice, stream));
	}

	void compute(const buffer &b, cudaStream_t stream)
	{
		for (int step = 0; step < HALO; step++)
			spread<<<blocks_of(PADDED, BLOCK), BLOCK, 0, stream>>>(
				b.cells[step % 2], b.cells[1 - step % 2], ROWS + 2 * HALO);
		CHECK(cudaGetLastError());
	}

	void copy_out(int s, const buffer &b, cudaStream_t stream)
	{
		CHECK(cudaMemcpyAsync(
			next[s], b.cells[HALO % 2] + EDGE, SLAB * sizeof(float), cudaMemcpyDeviceToHost, stream));
	}

	void before(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			copy_in(r % SLABS, buffers[0], kernels);
			compute(buffers[0], kernels);
			copy_out(r % SLABS, buffers[0], kernels);
		}
	}

	void after(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			const buffer &b = buffers[r % buffers.size()];

			CHECK(cudaStreamWaitEvent(copies_in, b.copied_out, 0)); /* of the round that had this buffer */
			copy_in(r % SLABS, b, copies_in);
			CHECK(cudaEventRecord(b.copied_in, copies_in));
			CHECK(cudaStreamWaitEvent(kernels, b.copied_in, 0));
			compute(b, kernels);
			CHECK(cudaEventRecord(b.computed, kernels));
			CHECK(cudaStreamWaitEvent(copies_out, b.computed, 0));
			copy_out(r % SLABS, b, copies_out);
			CHECK(cudaEventRecord(b.copied_out, copies_out));
		}
	}

	unsigned long long result(int)
	{
		unsigned long long sum = 0;

		for (int s = 0; s < SLABS; s++) {
			const float *edge = next[s] + SLAB - COLUMNS; /* its last row needs the halo */

			for (int c = 0; c < COLUMNS; c++)
				expect(fabsf(edge[c] - (float)c) < 0.01f, "the slope did not stay as it was");
			expect(next[s][SLAB / 2 + COLUMNS / 2] < 4000, "the hot place did not cool");
			sum = checksum(sum, next[s], SLAB);
		}
		return sum;
	}
};

int main(int argc, char **argv)
{
	return pair_main<plate>(argc, argv, 40, "plate");
}
