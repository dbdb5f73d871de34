/*
 * steps.c: a program for `dbprof contrast`, on the stand-in GPU: steps with a kernel each, in NVTX ranges named "step".
 *
 *   steps STEPS BLOCKS    each kernel has BLOCKS blocks of 1,024 threads, so it takes 20,000 + 64 BLOCKS ns
 *   apart STEPS BLOCKS    the same as `steps`, and each step launches the other kernel, too, in a stream of its own
 *   captured STEPS BLOCKS the same as `steps`, and before its own launch each step launches into a captured stream
 *   during STEPS BLOCKS   the same as `steps`, while another stream is being captured
 *   copied STEPS BLOCKS   the same as `steps`, and each step first copies 1 MiB to the device, by 65,536 + 10,000 ns
 *   device N              what follows uses the N-th device
 *   threads N BLOCKS      N threads launch 20 kernels each
 *   code N                its machine code is the N-th from here on (0 at first)
 *   named NAME            the kernel is called so (add, scale, mul or nccl) from here on; stands before `steps`
 *   bare STEPS BLOCKS     the same without ranges
 *   grows STEPS BLOCKS MORE  the same as `steps`, but the i-th step has BLOCKS + i * MORE blocks
 *   asks STEPS BLOCKS     the range ends before the work does
 *   wide STEPS BLOCKS     the same as `steps`, and the ranges have their name in wide characters
 *   chained STEPS BLOCKS  the same as `steps` in start/end ranges, each of which begins before the last one ends
 *   floods STEPS BLOCKS   the same as `asks`, but it waits behind all steps
 *   laps STEPS BLOCKS     as `copied`, with two buffers in start/end ranges: the next begins before the last one's wait
 *   turns STEPS BLOCKS    as `copied`, with two buffers in push/pop ranges: a step waits for the last one's work
 *   idles STEPS MS        steps in which nothing is launched, and the host sleeps for MS
 *   warm STEPS MS         as many steps with two kernels each, in which the host is busy for MS
 *   say TEXT              prints it
 *   pid                   prints its process id: never the same twice
 *   exit STATUS, abort, sleep SECONDS, rests MS
 *   makes FILE, removes FILE
 *   subscribe             takes CUPTI's callbacks for itself
 *   insists               the same, by a function that dlsym() finds; it ends with status 3 if that is refused
 *   profiles              takes CUPTI's records for itself, until it ends
 *   fork                  a child launches, and ends
 *   beside STEPS BLOCKS   a child does `bare STEPS BLOCKS` beside what follows
 *   holds STEPS BLOCKS    the GPU waits before each kernel for what the host does behind the step
 *   counted, traced       what follows is only done in a run in which kernels are counted; which is traced: one
 *                         word, such as `exit 3` or `abort`
 *   opens FILE            closes all descriptors and opens a file, which nobody writes to
 *   child FILE            leaves a child that would write FILE an hour later
 */
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toy-kernels.h"

static const void *chosen = &toy_add;

static void launch(unsigned blocks)
{
	toy_launch(chosen, blocks, NULL);
}

/* What a step does beside its own launch. */
enum manner { BARE, RANGES, APART, CAPTURED, DURING, COPIED };

enum { COPIED_BYTES = 1 << 20 };

static void copy_to_device(cudaStream_t stream)
{
	static char from[COPIED_BYTES];
	static void *to;

	if (to == NULL && cudaMalloc(&to, COPIED_BYTES) != cudaSuccess)
		exit(93);
	if (cudaMemcpyAsync(to, from, COPIED_BYTES, cudaMemcpyHostToDevice, stream) != cudaSuccess)
		exit(93);
}

static void end_capture(cudaStream_t stream)
{
	cudaGraph_t graph;

	if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || cudaGraphDestroy(graph) != cudaSuccess)
		exit(96);
}

static void begin_step(enum manner manner, unsigned blocks, cudaStream_t stream)
{
	if (manner != BARE)
		nvtxRangePushA("step");
	if (manner == COPIED)
		copy_to_device(NULL);
	if (manner == APART)
		toy_launch(chosen == &toy_add ? &toy_scale : &toy_add, blocks, stream);
	if (manner != CAPTURED)
		return;
	if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess)
		exit(96);
	toy_launch(chosen, blocks, stream);
	end_capture(stream);
}

static void steps(long n, unsigned blocks, enum manner manner)
{
	cudaStream_t stream = NULL;

	if (manner > RANGES && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
		exit(96);
	if (manner == DURING && cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) != cudaSuccess)
		exit(96);
	for (long i = 0; i < n; i++) {
		begin_step(manner, blocks, stream);
		launch(blocks);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
		if (manner != BARE)
			nvtxRangePop();
	}
	if (manner == DURING)
		end_capture(stream);
}

enum { MANNERS = COPIED + 1 };

static const char *const manners[MANNERS] = {[BARE] = "bare",
	[RANGES] = "steps",
	[APART] = "apart",
	[CAPTURED] = "captured",
	[DURING] = "during",
	[COPIED] = "copied"};

/* MANNERS if it is none. */
static int manner_of(const char *word)
{
	int manner = 0;

	while (manner < MANNERS && strcmp(manners[manner], word) != 0)
		manner++;
	return manner;
}

/* ---- several at once ---- */

enum { THREAD_LAUNCHES = 20, THREADS_MOST = 64 };

static void *launch_often(void *blocks)
{
	for (int i = 0; i < THREAD_LAUNCHES; i++)
		launch(*(const unsigned *)blocks);
	return NULL;
}

static void launch_in_threads(int n, unsigned blocks)
{
	pthread_t threads[THREADS_MOST];

	for (int i = 0; i < n && i < THREADS_MOST; i++)
		if (pthread_create(&threads[i], NULL, launch_often, &blocks) != 0)
			exit(95);
	for (int i = 0; i < n && i < THREADS_MOST; i++)
		pthread_join(threads[i], NULL);
	if (cudaDeviceSynchronize() != cudaSuccess)
		exit(97);
}

static void CUPTIAPI hear_nothing(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	(void)user, (void)domain, (void)id, (void)data;
}

static void take_callbacks(void)
{
	CUpti_SubscriberHandle subscriber;

	if (cuptiSubscribe(&subscriber, hear_nothing, NULL) != CUPTI_SUCCESS)
		puts("no callbacks");
}

/* As Triton's profiler. Whoever is loaded by CUDA comes first. */
static void insist_on_callbacks(void)
{
	CUptiResult (*subscribe)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
	CUpti_SubscriberHandle subscriber;
	CUptiResult code;

	*(void **)&subscribe = dlsym(RTLD_DEFAULT, "cuptiSubscribe");
	if (subscribe == NULL || cudaFree(NULL) != cudaSuccess)
		exit(91);
	code = subscribe(&subscriber, hear_nothing, NULL);
	if (code == CUPTI_SUCCESS)
		return;
	fprintf(stderr, "cuptiSubscribe failed with error %d\n", (int)code);
	exit(3);
}

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *records)
{
	enum { SIZE = 1 << 20 };

	*buffer = malloc(SIZE);
	*size = *buffer == NULL ? 0 : SIZE;
	*records = 0;
}

static void CUPTIAPI drop_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	(void)context, (void)stream, (void)size, (void)valid;
	free(buffer);
}

/* As PyTorch's profiler. */
static void take_records(void)
{
	if (cudaFree(NULL) != cudaSuccess ||
		cuptiActivityRegisterCallbacks(give_buffer, drop_buffer) != CUPTI_SUCCESS ||
		cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
		exit(91);
}

static void launch_in_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		launch(1);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		exit(94);
}

static void wait_for_child(void)
{
	(void)wait(NULL);
}

static void launch_beside(long n, unsigned blocks)
{
	pid_t child = fork();

	if (child < 0 || (child > 0 && atexit(wait_for_child) != 0))
		exit(94);
	if (child > 0)
		return;
	for (long i = 0; i < n; i++)
		launch(blocks);
	exit(cudaDeviceSynchronize() == cudaSuccess ? 0 : 97);
}

static void grows(long n, unsigned blocks, unsigned more)
{
	for (long i = 0; i < n; i++)
		steps(1, blocks + (unsigned)i * more, RANGES);
}

static void asks(long n, unsigned blocks)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		launch(blocks);
		nvtxRangePop();
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
	}
}

static void chained(long n, unsigned blocks)
{
	nvtxRangeId_t step = nvtxRangeStartA("step"), next;

	for (long i = 1; i <= n; i++) {
		launch(blocks);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
		next = i < n ? nvtxRangeStartA("step") : 0;
		nvtxRangeEnd(step);
		step = next;
	}
}

static void floods(long n, unsigned blocks)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		launch(blocks);
		nvtxRangePop();
	}
	if (cudaDeviceSynchronize() != cudaSuccess)
		exit(97);
}

static void wait_for_stream(cudaStream_t stream)
{
	if (cudaStreamSynchronize(stream) != cudaSuccess)
		exit(97);
}

static void two_buffers(long n, unsigned blocks, bool laps)
{
	cudaStream_t stream[2];
	nvtxRangeId_t step[2] = {0};

	for (int i = 0; i < 2; i++)
		if (cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking) != cudaSuccess)
			exit(96);
	for (long i = 0; i < n; i++) {
		if (laps)
			step[i % 2] = nvtxRangeStartA("step");
		else
			nvtxRangePushA("step");
		copy_to_device(stream[i % 2]);
		toy_launch(chosen, blocks, stream[i % 2]);
		wait_for_stream(stream[(i + 1) % 2]);
		if (!laps)
			nvtxRangePop();
		else if (i > 0)
			nvtxRangeEnd(step[(i + 1) % 2]);
	}
	wait_for_stream(stream[(n + 1) % 2]);
	if (laps && n > 0)
		nvtxRangeEnd(step[(n + 1) % 2]);
}

static atomic_int released;

static void CUDART_CB wait_for_host(void *step)
{
	while (atomic_load(&released) <= (int)(intptr_t)step)
		usleep(100);
}

static void holds(long n, unsigned blocks)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		if (cudaLaunchHostFunc(NULL, wait_for_host, (void *)(intptr_t)i) != cudaSuccess)
			exit(92);
		launch(blocks);
		nvtxRangePop();
		atomic_fetch_add(&released, 1);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
	}
}

static void wide(long n, unsigned blocks)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushW(L"step");
		launch(blocks);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
		nvtxRangePop();
	}
}

static void idles(long n, useconds_t ms)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		usleep(ms * 1000);
		nvtxRangePop();
	}
}

static void warm(long n, useconds_t ms)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		launch(1);
		usleep(ms * 1000);
		launch(1);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
		nvtxRangePop();
	}
}

/* At once: somebody may wait for it. */
static void say(const char *text)
{
	puts(text);
	fflush(stdout);
}

static void leave_child(const char *file)
{
	FILE *late;

	if (fork() != 0)
		return;
	sleep(3600);
	late = fopen(file, "w");
	if (late == NULL)
		_exit(1);
	_exit(0);
}

static void close_and_open(const char *path)
{
	static int opened[8];

	for (int fd = 3; fd < 256; fd++)
		close(fd);
	for (int i = 0; i < 8; i++) {
		opened[i] = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
		if (opened[i] < 0)
			exit(93);
	}
}

static const void *kernel_named(const char *name)
{
	return strcmp(name, "add") == 0    ? &toy_add
	       : strcmp(name, "nccl") == 0 ? &toy_nccl
	       : strcmp(name, "mul") == 0  ? &toy_mul
					   : &toy_scale;
}

/* A word with steps and blocks; false if it is none. */
static bool act_in_steps(const char *what, long n, unsigned blocks)
{
	if (strcmp(what, "asks") == 0)
		asks(n, blocks);
	else if (strcmp(what, "floods") == 0)
		floods(n, blocks);
	else if (strcmp(what, "chained") == 0)
		chained(n, blocks);
	else if (strcmp(what, "laps") == 0 || strcmp(what, "turns") == 0)
		two_buffers(n, blocks, strcmp(what, "laps") == 0);
	else if (strcmp(what, "holds") == 0)
		holds(n, blocks);
	else if (strcmp(what, "wide") == 0)
		wide(n, blocks);
	else if (strcmp(what, "beside") == 0)
		launch_beside(n, blocks);
	else
		return false;
	return true;
}

/* A word without arguments; false if it is none. */
static int act_alone(const char *what)
{
	if (strcmp(what, "abort") == 0)
		abort();
	if (strcmp(what, "pid") == 0)
		printf("%d\n", (int)getpid());
	else if (strcmp(what, "subscribe") == 0)
		take_callbacks();
	else if (strcmp(what, "insists") == 0)
		insist_on_callbacks();
	else if (strcmp(what, "profiles") == 0)
		take_records();
	else if (strcmp(what, "fork") == 0)
		launch_in_child();
	else
		return 0;
	return 1;
}

/* Whether a word is that of a kind of run; *applies: whether this run is one. */
static int is_kind_of_run(const char *what, int *applies)
{
	int counted = strcmp(what, "counted") == 0;

	*applies = getenv(counted ? "DBPROF_COUNT_FOLDER" : "DBPROF_TRACE_FOLDER") != NULL;
	return counted || strcmp(what, "traced") == 0;
}

/* Returns how many words it took. */
static int act(int left, char **words)
{
	const char *what = words[0];
	int applies;

	if (left >= 3 && manner_of(what) < MANNERS) {
		steps(atol(words[1]), (unsigned)atol(words[2]), (enum manner)manner_of(what));
		return 3;
	}
	if (left >= 3 && act_in_steps(what, atol(words[1]), (unsigned)atol(words[2])))
		return 3;
	if (left >= 4 && strcmp(what, "grows") == 0) {
		grows(atol(words[1]), (unsigned)atol(words[2]), (unsigned)atol(words[3]));
		return 4;
	}
	if (left >= 3 && (strcmp(what, "warm") == 0 || strcmp(what, "idles") == 0)) {
		(strcmp(what, "warm") == 0 ? warm : idles)(atol(words[1]), (useconds_t)atol(words[2]));
		return 3;
	}
	if (left >= 3 && strcmp(what, "threads") == 0) {
		launch_in_threads(atoi(words[1]), (unsigned)atol(words[2]));
		return 3;
	}
	if (is_kind_of_run(what, &applies))
		return applies ? 1 : 1 + (left >= 2 && strcmp(words[1], "abort") == 0 ? 1 : 2);
	if (act_alone(what))
		return 1;
	if (left < 2)
		exit(99);
	if (strcmp(what, "device") == 0 && cudaSetDevice(atoi(words[1])) != cudaSuccess)
		exit(92);
	else if (strcmp(what, "device") == 0)
		return 2;
	if (strcmp(what, "named") == 0)
		chosen = kernel_named(words[1]);
	else if (strcmp(what, "code") == 0)
		toy_kernels(atoi(words[1]));
	else if (strcmp(what, "say") == 0)
		say(words[1]);
	else if (strcmp(what, "exit") == 0)
		exit(atoi(words[1]));
	else if (strcmp(what, "sleep") == 0)
		sleep((unsigned)atoi(words[1]));
	else if (strcmp(what, "rests") == 0)
		usleep(1000U * (unsigned)atoi(words[1]));
	else if (strcmp(what, "makes") == 0)
		fclose(fopen(words[1], "w"));
	else if (strcmp(what, "removes") == 0)
		remove(words[1]);
	else if (strcmp(what, "opens") == 0)
		close_and_open(words[1]);
	else if (strcmp(what, "child") == 0)
		leave_child(words[1]);
	else
		exit(99);
	return 2;
}

int main(int argc, char **argv)
{
	toy_kernels(0);
	for (int i = 1; i < argc;)
		i += act(argc - i, argv + i);
	return 0;
}
