/* kmeans.cu: finds a palette for pictures by k-means, a batch of pixels a round: copy in, and a kernel that assigns
 * each pixel to its nearest colour; after the last batch a kernel moves the colours. The kernel takes far longer than
 * the copy. `after` copies in a stream of its own, into several buffers. For the usage see pair.h. */
#include "pair.h"

enum { COLOURS = 4096, BATCHES = 12, BLOCK = 256 };
static const size_t PIXELS = 1 << 20; /* in a batch */

struct colour_sum {
	unsigned long long red, green, blue, n;
};

__global__ void assign(const uchar4 *pixels, size_t n, const float4 *palette, colour_sum *sums)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float least = 1e30f;
	int nearest = 0;

	if (i >= n)
		return;
	const uchar4 p = pixels[i];
	for (int c = 0; c < COLOURS; c++) {
		const float4 colour = palette[c];
		const float red = colour.x - p.x, green = colour.y - p.y, blue = colour.z - p.z;
		const float distance = red * red + green * green + blue * blue;

		if (distance < least) {
			least = distance;
			nearest = c;
		}
	}
	atomicAdd(&sums[nearest].red, (unsigned long long)p.x);
	atomicAdd(&sums[nearest].green, (unsigned long long)p.y);
	atomicAdd(&sums[nearest].blue, (unsigned long long)p.z);
	atomicAdd(&sums[nearest].n, 1ull);
}

__global__ void move_colours(float4 *palette, colour_sum *sums, colour_sum *last)
{
	const int c = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	const colour_sum sum = sums[c];
	const float n = (float)sum.n;

	if (sum.n)
		palette[c] = {(float)sum.red / n, (float)sum.green / n, (float)sum.blue / n, 0};
	last[c] = sum;
	sums[c] = {};
}

struct buffer {
	uchar4 *pixels;
	cudaEvent_t filled, free;
};

struct kmeans {
	uchar4 *batch[BATCHES]; /* pinned */
	float4 *palette = on_gpu<float4>(COLOURS), *first;
	colour_sum *sums = on_gpu<colour_sum>(COLOURS), *last = on_gpu<colour_sum>(COLOURS);
	std::vector<buffer> buffers;
	cudaStream_t copies = new_stream(), kernels = new_stream();

	explicit kmeans(int n)
	{
		unsigned random = 1;

		first = on_host<float4>(COLOURS);
		for (uchar4 *&b : batch) {
			b = on_host<uchar4>(PIXELS);
			for (size_t i = 0; i < PIXELS; i++) {
				random = random * 1664525u + 1013904223u;
				b[i] = {(unsigned char)(random >> 24), (unsigned char)(random >> 17),
					(unsigned char)(i >> 12), 0};
			}
		}
		for (int c = 0; c < COLOURS; c++)
			first[c] = {(float)(c % 16) * 16, (float)(c / 16 % 16) * 16, (float)(c / 256) * 16, 0};
		for (int i = 0; i < n; i++)
			buffers.push_back({on_gpu<uchar4>(PIXELS), new_event(), new_event()});
	}

	void start()
	{
		CHECK(cudaMemcpy(palette, first, COLOURS * sizeof(float4), cudaMemcpyHostToDevice));
		CHECK(cudaMemset(sums, 0, COLOURS * sizeof(colour_sum)));
		CHECK(cudaMemset(last, 0, COLOURS * sizeof(colour_sum)));
	}

	void copy_in(int round, const buffer &b, cudaStream_t stream)
	{
		CHECK(cudaMemcpyAsync(
			b.pixels, batch[round % BATCHES], PIXELS * sizeof(uchar4), cudaMemcpyHostToDevice, stream));
	}

	void compute(int round, const buffer &b)
	{
		assign<<<blocks_of(PIXELS, BLOCK), BLOCK, 0, kernels>>>(b.pixels, PIXELS, palette, sums);
		if (round % BATCHES == BATCHES - 1)
			move_colours<<<COLOURS / BLOCK, BLOCK, 0, kernels>>>(palette, sums, last);
		CHECK(cudaGetLastError());
	}

	void before(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			copy_in(r, buffers[0], kernels);
			compute(r, buffers[0]);
		}
	}

	void after(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			const buffer &b = buffers[r % buffers.size()];

			CHECK(cudaStreamWaitEvent(copies, b.free, 0));
			copy_in(r, b, copies);
			CHECK(cudaEventRecord(b.filled, copies));
			CHECK(cudaStreamWaitEvent(kernels, b.filled, 0));
			compute(r, b);
			CHECK(cudaEventRecord(b.free, kernels));
		}
	}

	unsigned long long result(int)
	{
		std::vector<colour_sum> found(COLOURS);
		std::vector<float4> colours(COLOURS);
		unsigned long long n = 0;

		CHECK(cudaMemcpy(found.data(), last, COLOURS * sizeof(colour_sum), cudaMemcpyDeviceToHost));
		CHECK(cudaMemcpy(colours.data(), palette, COLOURS * sizeof(float4), cudaMemcpyDeviceToHost));
		for (const colour_sum &f : found)
			n += f.n;
		expect(n == BATCHES * PIXELS, "not every pixel has a colour");
		return checksum(checksum(0, found.data(), COLOURS), colours.data(), COLOURS);
	}
};

int main(int argc, char **argv)
{
	return pair_main<kmeans>(argc, argv, 60, "palette");
}
