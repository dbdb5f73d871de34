/* threads.cu: two host threads find the implied volatility of options, a block a round: copy in, kernel, copy out,
 * wait, look at some results. Each thread has a stream; `after` gives each as many as it has buffers, and waits a round
 * later. For the usage see pair.h; rounds are those of both threads. */
#include "pair.h"

#include <math.h>

#include <thread>

enum { THREADS = 2, BLOCK = 256, BLOCKS = 3, SAMPLES = 64 };
static const size_t OPTIONS = 1 << 21, PATTERN = 1 << 18; /* in a block; they repeat */

struct quote {
	float spot, strike, years, price;
};

struct greeks {
	float volatility, delta, gamma, vega;
};

/* The price of a call, without interest, and the derivatives of it. */
__host__ __device__ static float call_price(const quote &q, float volatility, greeks *g)
{
	const float width = volatility * sqrtf(q.years);
	const float d1 = logf(q.spot / q.strike) / width + 0.5f * width;
	const float density = 0.39894228f * expf(-0.5f * d1 * d1);
	const float delta = 0.5f * erfcf(-d1 * 0.70710678f);

	*g = {volatility, delta, density / (q.spot * width), q.spot * density * sqrtf(q.years)};
	return q.spot * delta - q.strike * 0.5f * erfcf((width - d1) * 0.70710678f);
}

__global__ void imply(const quote *quotes, greeks *found, size_t n)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float low = 0.01f, high = 2.0f;
	greeks g = {};

	if (i >= n)
		return;
	const quote q = quotes[i];
#pragma unroll 1
	for (int step = 0; step < 32; step++) {
		const float middle = 0.5f * (low + high);

		if (call_price(q, middle, &g) < q.price)
			low = middle;
		else
			high = middle;
	}
	found[i] = g;
}

struct lane { /* of a thread: a buffer, and the stream that works on it */
	quote *in;
	greeks *out, *results;
	cudaStream_t stream;
};

struct desk {                  /* a thread's own */
	quote *quotes[BLOCKS]; /* pinned */
	std::vector<lane> lanes;
	double sum, error;
};

static float true_volatility(int block, size_t option)
{
	return 0.1f * (float)(block + 1) + 0.01f * (float)(option % 64);
}

static quote *new_quotes(int block)
{
	quote *quotes = on_host<quote>(OPTIONS);
	greeks g;

	for (size_t i = 0; i < PATTERN; i++) {
		quotes[i] = {100, 80 + 0.625f * (float)(i / 64 % 64), 0.5f + 0.03f * (float)(i / 4096), 0};
		quotes[i].price = call_price(quotes[i], true_volatility(block, i), &g);
	}
	for (size_t i = PATTERN; i < OPTIONS; i += PATTERN)
		memcpy(quotes + i, quotes, PATTERN * sizeof(quote));
	return quotes;
}

struct threads {
	desk desks[THREADS];

	explicit threads(int buffers)
	{
		for (desk &d : desks) {
			for (int b = 0; b < BLOCKS; b++)
				d.quotes[b] = new_quotes(b);
			for (int i = 0; i < buffers; i++)
				d.lanes.push_back({on_gpu<quote>(OPTIONS), on_gpu<greeks>(OPTIONS),
					on_host<greeks>(OPTIONS), new_stream()});
		}
	}

	void start()
	{
		for (desk &d : desks)
			d.sum = d.error = 0;
	}

	static void ask(const quote *quotes, const lane &l)
	{
		CHECK(cudaMemcpyAsync(l.in, quotes, OPTIONS * sizeof(quote), cudaMemcpyHostToDevice, l.stream));
		imply<<<blocks_of(OPTIONS, BLOCK), BLOCK, 0, l.stream>>>(l.in, l.out, OPTIONS);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(l.results, l.out, OPTIONS * sizeof(greeks), cudaMemcpyDeviceToHost, l.stream));
	}

	static void look(desk *d, int block, const lane &l)
	{
		CHECK(cudaStreamSynchronize(l.stream));
		for (size_t i = 0; i < SAMPLES; i++) {
			const size_t option = (OPTIONS / SAMPLES + 1) * i;

			d->sum += l.results[option].delta;
			d->error = fmax(d->error, fabsf(l.results[option].volatility - true_volatility(block, option)));
		}
	}

	/* Waits for round r when `buffers` - 1 more rounds have been asked for. */
	static void work(desk *d, int rounds, int buffers)
	{
		for (int r = 0; r < rounds + buffers - 1; r++) {
			const int done = r - (buffers - 1);

			if (r < rounds)
				ask(d->quotes[r % BLOCKS], d->lanes[r % buffers]);
			if (done >= 0)
				look(d, done % BLOCKS, d->lanes[done % buffers]);
		}
	}

	void run(int rounds, int buffers)
	{
		std::thread other(work, &desks[1], rounds / THREADS, buffers);

		work(&desks[0], rounds / THREADS, buffers);
		other.join();
	}

	void before(int rounds)
	{
		run(rounds, 1);
	}

	void after(int rounds)
	{
		run(rounds, (int)desks[0].lanes.size());
	}

	unsigned long long result(int)
	{
		unsigned long long sum = 0;

		for (const desk &d : desks) {
			expect(d.error < 0.02, "the volatilities are not those of the prices");
			sum = checksum(sum, &d.sum, 1);
		}
		return sum;
	}
};

int main(int argc, char **argv)
{
	return pair_main<threads>(argc, argv, 100, nullptr);
}
