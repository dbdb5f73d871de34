/* frames.cu: frames of a film go through a bilateral filter, a frame a round: cudaMemcpy in, kernel, cudaMemcpy out;
 * then the host measures how bright the middle of the frame is, as for the exposure of the next ones. `after` copies
 * asynchronously in streams by turns, and measures a frame when the next one has been asked for. For the usage see
 * pair.h. */
#include "pair.h"

#include <math.h>

enum {
	WIDTH = 3840,
	HEIGHT = 2160,
	REACH = 4,
	FRAMES = 4,
	BLOCK = 256,
	MIDDLE = 200
}; /* MIDDLE: rows that are measured */
static const size_t PIXELS = (size_t)WIDTH * HEIGHT;

/* The mean of the pixels near by, those of like brightness above all. */
__global__ void smooth(const uchar4 *frame, uchar4 *smoothed)
{
	const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), x = i % WIDTH, y = i / WIDTH;
	float red = 0, green = 0, blue = 0, weights = 0;

	if (y >= HEIGHT)
		return;
	const uchar4 centre = frame[i];
	for (int dy = -REACH; dy <= REACH; dy++) {
		for (int dx = -REACH; dx <= REACH; dx++) {
			const uchar4 p =
				frame[min(max(y + dy, 0), HEIGHT - 1) * WIDTH + min(max(x + dx, 0), WIDTH - 1)];
			const float unlike = (float)(p.y - centre.y), far = (float)(dx * dx + dy * dy);
			const float weight = expf(-0.05f * far - 0.001f * unlike * unlike);

			red += weight * (float)p.x;
			green += weight * (float)p.y;
			blue += weight * (float)p.z;
			weights += weight;
		}
	}
	smoothed[i] = {(unsigned char)(red / weights + 0.5f), (unsigned char)(green / weights + 0.5f),
		(unsigned char)(blue / weights + 0.5f), 255};
}

struct buffer {
	uchar4 *frame, *smoothed, *shown; /* shown: pinned */
	cudaStream_t stream;
};

struct film {
	uchar4 *frame[FRAMES]; /* pinned */
	std::vector<buffer> buffers;
	unsigned long long brightness;

	/* The left half of each frame is of one colour, which the filter leaves as it is. */
	explicit film(int n)
	{
		for (int f = 0; f < FRAMES; f++) {
			frame[f] = on_host<uchar4>(PIXELS);
			for (size_t i = 0; i < PIXELS; i++)
				frame[f][i] = i % WIDTH < WIDTH / 2
						      ? uchar4{100, 150, 200, 255}
						      : uchar4{(unsigned char)(i * 7 + f), (unsigned char)(i >> 4),
								(unsigned char)(i >> 12), 255};
		}
		for (int i = 0; i < n; i++)
			buffers.push_back({on_gpu<uchar4>(PIXELS), on_gpu<uchar4>(PIXELS), on_host<uchar4>(PIXELS),
				new_stream()});
	}

	void start()
	{
		brightness = 0;
	}

	void measure(const buffer &b)
	{
		const uchar4 *p = b.shown + (size_t)(HEIGHT - MIDDLE) / 2 * WIDTH;
		unsigned sum = 0;

		for (int i = 0; i < MIDDLE * WIDTH; i++)
			sum += p[i].y;
		brightness = brightness * 31 + sum;
	}

	void before(int rounds)
	{
		for (int r = 0; r < rounds; r++) {
			const buffer &b = buffers[0];

			CHECK(cudaMemcpy(b.frame, frame[r % FRAMES], PIXELS * sizeof(uchar4), cudaMemcpyHostToDevice));
			smooth<<<blocks_of(PIXELS, BLOCK), BLOCK>>>(b.frame, b.smoothed);
			CHECK(cudaMemcpy(b.shown, b.smoothed, PIXELS * sizeof(uchar4), cudaMemcpyDeviceToHost));
			measure(b);
		}
	}

	void ask(int round, const buffer &b)
	{
		CHECK(cudaMemcpyAsync(
			b.frame, frame[round % FRAMES], PIXELS * sizeof(uchar4), cudaMemcpyHostToDevice, b.stream));
		smooth<<<blocks_of(PIXELS, BLOCK), BLOCK, 0, b.stream>>>(b.frame, b.smoothed);
		CHECK(cudaMemcpyAsync(b.shown, b.smoothed, PIXELS * sizeof(uchar4), cudaMemcpyDeviceToHost, b.stream));
	}

	void after(int rounds)
	{
		const int n = (int)buffers.size();

		for (int r = 0; r < rounds + n - 1; r++) {
			const int done = r - (n - 1);

			if (r < rounds)
				ask(r, buffers[r % n]);
			if (done >= 0) {
				CHECK(cudaStreamSynchronize(buffers[done % n].stream));
				measure(buffers[done % n]);
			}
		}
	}

	unsigned long long result(int)
	{
		const uchar4 *shown = buffers[0].shown;

		for (int y = 0; y < HEIGHT; y++)
			expect(shown[(size_t)y * WIDTH].y == 150, "the filter changes what is of one colour");
		return brightness;
	}
};

int main(int argc, char **argv)
{
	return pair_main<film>(argc, argv, 60, nullptr);
}
