/* launches.cu: many tiny launches: what tracing costs per launch, and whether every one of them is recorded.
 *
 * usage: launches [N [EVERY]]: N launches (1000000), and a copy of 4 bytes from pinned memory after every EVERY of them
 * (0: none). Prints one line when the process ends, after everything else that exit() runs:
 *     launches N copies N loop_s SECONDS total_s SECONDS peak_mb MB
 * loop_s is the loop with a synchronisation at its end, total_s all from main() on, peak_mb the process's largest
 * resident memory: tracing from inside happens in it. */
#include "program.h"

static double begin, loop;
static long launches = 1000000, every, copies;

__global__ void tiny(int *out)
{
	if (out != nullptr)
		*out = 1;
}

/* VmHWM of /proc/self/status, in 10^6 bytes; 0 if it is not there. */
static double peak_megabytes(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kib = 0;

	while (file != nullptr && fgets(line, sizeof line, file) != nullptr)
		if (sscanf(line, "VmHWM: %ld", &kib) == 1)
			break;
	if (file != nullptr)
		fclose(file);
	return (double)kib * 1024 / 1e6;
}

static void say(void)
{
	if (loop == 0)
		return; /* CUDA failed: nothing was measured */
	printf("launches %ld copies %ld loop_s %.4f total_s %.4f peak_mb %.1f\n", launches, copies, loop, now() - begin,
		peak_megabytes());
}

int main(int argc, char **argv)
{
	cudaStream_t stream;
	int *host, *device;

	begin = now();
	/* What is registered first is called last: after CUDA, and whoever traces it, have finished. */
	atexit(say);
	if (argc > 1)
		launches = atol(argv[1]);
	if (argc > 2)
		every = atol(argv[2]);
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&device, sizeof *device));
	CHECK(cudaMallocHost(&host, sizeof *host));
	*host = 0;
	/* The first launch loads the module. It is one of the N. */
	tiny<<<1, 1, 0, stream>>>(device);
	CHECK(cudaStreamSynchronize(stream));
	double start = now();
	for (long i = 1; i < launches; i++) {
		tiny<<<1, 1, 0, stream>>>(nullptr);
		if (every > 0 && i % every == 0) {
			CHECK(cudaMemcpyAsync(device, host, sizeof *host, cudaMemcpyHostToDevice, stream));
			copies++;
		}
	}
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(stream));
	loop = now() - start;
	return 0;
}
