/* memset.cu: particles move in a flow, a batch a round, and the GPU counts where they arrive: copy in, memset of the
 * counts, kernel, copy out, wait; the host adds the counts up. `before` is in the default stream, `after` in streams by
 * turns, and it waits for a batch when the next one has been asked for. For the usage see pair.h. */
#include "pair.h"

enum { SIDE = 64, CELLS = SIDE * SIDE, STEPS = 1024, BLOCK = 256, BATCHES = 4 };
static const size_t PARTICLES = 1 << 20; /* in a batch */

/* A particle turns about a centre that its weight moves. */
__global__ void count_arrivals(const float4 *particles, unsigned *counts, size_t n)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	float4 p = particles[i];
#pragma unroll 1
	for (int step = 0; step < STEPS; step++) {
		const float x = p.x - 0.5f - p.z, y = p.y - 0.5f + p.w;

		p.x = fmaf(-0.004f, y, p.x);
		p.y = fmaf(0.004f, x, p.y);
		p.z = fmaf(-0.001f, p.z * x, p.z);
		p.w = fmaf(-0.001f, p.w * y, p.w);
	}
	/* What leaves at one side comes in at the other. */
	const int column = (int)((p.x - floorf(p.x)) * (SIDE - 1)), row = (int)((p.y - floorf(p.y)) * (SIDE - 1));

	atomicAdd(&counts[row * SIDE + column], 1u);
}

struct buffer {
	float4 *particles;
	unsigned *counts, *counts_on_host;
	cudaStream_t stream;
};

struct arrivals {
	float4 *batch[BATCHES]; /* pinned */
	std::vector<buffer> buffers;
	unsigned long long total[CELLS];

	explicit arrivals(int n)
	{
		for (int b = 0; b < BATCHES; b++) {
			batch[b] = on_host<float4>(PARTICLES);
			for (size_t i = 0; i < PARTICLES; i++)
				batch[b][i] = {(float)(i % 1000) / 1000, (float)(i / 1000 % 1000) / 1000,
					0.1f * (float)(i % 7), 0.05f * (float)(b + 1)};
		}
		for (int i = 0; i < n; i++)
			buffers.push_back({on_gpu<float4>(PARTICLES), on_gpu<unsigned>(CELLS), on_host<unsigned>(CELLS),
				new_stream()});
	}

	void start()
	{
		memset(total, 0, sizeof total);
	}

	void ask(int round, const buffer &b, cudaStream_t stream)
	{
		CHECK(cudaMemcpyAsync(b.particles, batch[round % BATCHES], PARTICLES * sizeof(float4),
			cudaMemcpyHostToDevice, stream));
		CHECK(cudaMemsetAsync(b.counts, 0, CELLS * sizeof(unsigned), stream));
		count_arrivals<<<blocks_of(PARTICLES, BLOCK), BLOCK, 0, stream>>>(b.particles, b.counts, PARTICLES);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(
			b.counts_on_host, b.counts, CELLS * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
	}

	void add(const buffer &b, cudaStream_t stream)
	{
		CHECK(cudaStreamSynchronize(stream));
		for (int c = 0; c < CELLS; c++)
			total[c] += b.counts_on_host[c];
	}

	void before(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			ask(r, buffers[0], nullptr);
			add(buffers[0], nullptr);
		}
	}

	void after(int rounds)
	{
		const int n = (int)buffers.size();

		for (int r = 0; r < rounds + n - 1; r++) {
			const int done = r - (n - 1);

			if (r < rounds)
				ask(r, buffers[r % n], buffers[r % n].stream);
			if (done >= 0)
				add(buffers[done % n], buffers[done % n].stream);
		}
	}

	unsigned long long result(int rounds)
	{
		unsigned long long all = 0;

		for (unsigned long long n : total)
			all += n;
		expect(all == (unsigned long long)rounds * PARTICLES, "not all particles were counted");
		return checksum(0, total, CELLS);
	}
};

int main(int argc, char **argv)
{
	return pair_main<arrivals>(argc, argv, 100, nullptr);
}
