/* many.cu: programs as they are found in the wild: several processes, threads, every way to end, every way to launch.
 *
 * usage: many WAY [MILLISECONDS]   (the table at the end has the ways)
 * Each process that used CUDA prints, when its work is done and before it waits MILLISECONDS (0) and ends:
 *     process PID kernels N h2d N BYTES d2h N BYTES memsets N
 * and main() ends with status 0 unless the way says otherwise. The wait is the time in which a tracer that writes from
 * time to time can write all of it; with 0 a killed process may take records with it. */
#include "program.h"

#include <cooperative_groups.h>
#include <cuda_runtime_api.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

enum { N = 4096, STATUS = 7, THREADS = 8, THREAD_LAUNCHES = 500 };

static int wait_ms;
static char **arguments;

__global__ void add_one(int *data)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		data[i] += 1;
}

__global__ void add_and_meet(int *data)
{
	cooperative_groups::this_grid().sync();
	data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

/* ---- work ---- */

static void launch(struct work *w, int *data, cudaStream_t stream)
{
	add_one<<<N / 256, 256, 0, stream>>>(data);
	CHECK(cudaGetLastError());
	w->kernels++;
}

static void copy_in(struct work *w, int *device, const int *host, cudaStream_t stream)
{
	CHECK(cudaMemcpyAsync(device, host, N * sizeof *host, cudaMemcpyHostToDevice, stream));
	w->h2d++;
	w->h2d_bytes += N * (long long)sizeof *host;
}

static void copy_out(struct work *w, int *host, const int *device, cudaStream_t stream)
{
	CHECK(cudaMemcpyAsync(host, device, N * sizeof *host, cudaMemcpyDeviceToHost, stream));
	w->d2h++;
	w->d2h_bytes += N * (long long)sizeof *host;
}

static void zero(struct work *w, int *device, cudaStream_t stream)
{
	CHECK(cudaMemsetAsync(device, 0, N * sizeof *device, stream));
	w->memsets++;
}

/* Memory, `kernels` kernels between two copies, a check of the result. All else is made of this. */
static void some_work(struct work *w, int kernels)
{
	static __thread int host[N];
	cudaStream_t stream;
	int *device;

	CHECK(cudaMalloc(&device, N * sizeof *device));
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	zero(w, device, stream);
	memset(host, 0, sizeof host);
	copy_in(w, device, host, stream);
	for (int i = 0; i < kernels; i++)
		launch(w, device, stream);
	copy_out(w, host, device, stream);
	CHECK(cudaStreamSynchronize(stream));
	for (int i = 0; i < N; i++)
		if (host[i] != kernels) {
			fprintf(stderr, "element %d is %d instead of %d\n", i, host[i], kernels);
			exit(1);
		}
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(device));
}

/* One write(): lines of several processes do not mix. */
static void say(const struct work *w)
{
	char line[256];
	int n = snprintf(line, sizeof line, "process %d kernels %ld h2d %ld %lld d2h %ld %lld memsets %ld\n",
		(int)getpid(), w->kernels, w->h2d, w->h2d_bytes, w->d2h, w->d2h_bytes, w->memsets);

	fflush(stdout);
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		_exit(1);
	usleep((useconds_t)wait_ms * 1000);
}

static int plain(int kernels)
{
	struct work w = {};

	some_work(&w, kernels);
	say(&w);
	return 0;
}

/* ---- ways to end ---- */

static int ends(void)
{
	return plain(10);
}

static int ends_by_exit(void)
{
	plain(11);
	exit(STATUS);
}

static int ends_at_once(void)
{
	plain(12);
	_exit(STATUS);
}

static int aborts(void)
{
	plain(13);
	abort();
}

static int is_killed(void)
{
	plain(14);
	kill(getpid(), SIGKILL);
	return 1;
}

static int crashes(void)
{
	plain(15);
	raise(SIGSEGV);
	return 1;
}

static int is_terminated(void)
{
	plain(16);
	kill(getpid(), SIGTERM);
	return 1;
}

/* A kernel that writes where it must not: every later call fails, also those of a tracer. */
static int faults(void)
{
	struct work w = {};

	some_work(&w, 17);
	say(&w);
	add_one<<<1, 1>>>((int *)16);
	return cudaDeviceSynchronize() == cudaSuccess ? 1 : STATUS;
}

/* ---- processes ---- */

static pid_t start(int (*way)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		exit(way());
	return pid;
}

/* Prints how each child ended: "ended exit STATUS" or "ended signal NUMBER". */
static void wait_for_all(void)
{
	int status;

	while (wait(&status) > 0 || errno == EINTR)
		if (WIFEXITED(status))
			printf("ended exit %d\n", WEXITSTATUS(status));
		else
			printf("ended signal %d\n", WTERMSIG(status));
}

static int family(void)
{
	start(ends);
	start(ends_by_exit);
	start(ends_at_once);
	start(aborts);
	start(is_killed);
	start(crashes);
	start(is_terminated);
	wait_for_all();
	return plain(20);
}

static int execs(void)
{
	char *next[] = {arguments[0], (char *)"ends", arguments[2], NULL};

	plain(21);
	execv("/proc/self/exe", next);
	return 1;
}

static int child_execs(void)
{
	start(execs);
	wait_for_all();
	return 0;
}

static int only_exits(void)
{
	return 3;
}

/* CUDA does not work in a child of a process that has used it; it says so. */
static int tries_cuda(void)
{
	void *memory;

	return cudaMalloc(&memory, 16) == cudaSuccess ? 0 : 4;
}

/* Half of what a program that forks late does: the child without CUDA ends by exit(), that with CUDA fails. */
static int forks_late(void)
{
	struct work w = {};

	some_work(&w, 22);
	start(only_exits);
	start(tries_cuda);
	wait_for_all();
	some_work(&w, 23);
	say(&w);
	return 0;
}

static int works_later(void)
{
	sleep(2);
	plain(24);
	sleep(3);
	return 0;
}

/* A child that is still at work when its parent has ended. */
static int leaves_child(void)
{
	start(works_later);
	return plain(25);
}

/* ---- threads ---- */

static void *thread(void *argument)
{
	struct work *w = (struct work *)argument;
	cudaStream_t stream;
	int *device;

	pthread_setname_np(pthread_self(), "worker");
	CHECK(cudaMalloc(&device, N * sizeof *device));
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	zero(w, device, stream);
	for (int i = 0; i < THREAD_LAUNCHES; i++)
		launch(w, device, stream);
	CHECK(cudaStreamSynchronize(stream));
	return NULL;
}

static int threads(void)
{
	struct work all = {}, one[THREADS] = {};
	pthread_t ids[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&ids[i], NULL, thread, &one[i]) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(ids[i], NULL);
		all.kernels += one[i].kernels;
		all.memsets += one[i].memsets;
	}
	say(&all);
	return 0;
}

/* main() returns while the other threads still launch. What they asked for by then is not known to anybody: no line. */
static void *launches_on(void *unused)
{
	struct work w = {};
	cudaStream_t stream;
	int *device;

	(void)unused;
	if (cudaMalloc(&device, N * sizeof *device) != cudaSuccess ||
		cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
		return NULL;
	for (;; w.kernels++)
		add_one<<<N / 256, 256, 0, stream>>>(device);
}

static int leaves_threads(void)
{
	pthread_t id;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&id, NULL, launches_on, NULL) != 0)
			return 1;
	usleep(500000);
	return STATUS;
}

/* ---- ways to launch ---- */

static int resets(void)
{
	struct work w = {};

	some_work(&w, 30);
	CHECK(cudaDeviceReset());
	some_work(&w, 31);
	CHECK(cudaDeviceReset());
	say(&w);
	return 0;
}

/* A graph of a memset, a copy and three kernels. */
static cudaGraphExec_t capture(struct work *w, cudaStream_t stream)
{
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	int *device, *host;

	CHECK(cudaMalloc(&device, N * sizeof *device));
	CHECK(cudaMallocHost(&host, N * sizeof *host));
	memset(host, 0, N * sizeof *host);
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	zero(w, device, stream);
	copy_in(w, device, host, stream);
	for (int i = 0; i < 3; i++)
		launch(w, device, stream);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	return exec;
}

static int graphs(void)
{
	enum { LAUNCHES = 10 };
	struct work w = {};
	cudaGraphExec_t exec;
	cudaStream_t stream;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	exec = capture(&w, stream);
	for (int i = 0; i < LAUNCHES; i++)
		CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
	w.kernels *= LAUNCHES;
	w.h2d *= LAUNCHES;
	w.h2d_bytes *= LAUNCHES;
	w.memsets *= LAUNCHES;
	say(&w);
	return 0;
}

static int allocates_in_stream(void)
{
	struct work w = {};
	cudaStream_t stream;
	int *device;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	for (int i = 0; i < 20; i++) {
		CHECK(cudaMallocAsync((void **)&device, N * sizeof *device, stream));
		zero(&w, device, stream);
		launch(&w, device, stream);
		CHECK(cudaFreeAsync(device, stream));
	}
	CHECK(cudaStreamSynchronize(stream));
	say(&w);
	return 0;
}

static int cooperates(void)
{
	struct work w = {};
	int *device;
	void *parameters[] = {&device};

	CHECK(cudaMalloc(&device, N * sizeof *device));
	for (int i = 0; i < 20; i++, w.kernels++)
		CHECK(cudaLaunchCooperativeKernel((const void *)add_and_meet, dim3(8), dim3(256), parameters, 0, NULL));
	CHECK(cudaDeviceSynchronize());
	say(&w);
	return 0;
}

/* ---- all of them ---- */

static const struct {
	const char *name;
	int (*way)(void);
} ways[] = {
	{"ends", ends},                               /* returns from main() */
	{"ends-by-exit", ends_by_exit},               /* status 7 */
	{"ends-at-once", ends_at_once},               /* _exit(), status 7 */
	{"aborts", aborts},                           /* SIGABRT */
	{"is-killed", is_killed},                     /* SIGKILL */
	{"crashes", crashes},                         /* SIGSEGV */
	{"is-terminated", is_terminated},             /* SIGTERM */
	{"faults", faults},                           /* in a kernel: status 7 */
	{"family", family},                           /* a child for each of the first seven, then itself */
	{"execs", execs},                             /* two programs with one process id */
	{"child-execs", child_execs},                 /* the same in a child of a process without CUDA */
	{"forks-late", forks_late},                   /* children of a process that has used CUDA */
	{"leaves-child", leaves_child},               /* a child outlives it by five seconds */
	{"threads", threads},                         /* eight that launch at the same time */
	{"leaves-threads", leaves_threads},           /* returns while eight still launch: status 7 */
	{"resets", resets},                           /* cudaDeviceReset() */
	{"graphs", graphs},                           /* captured from a stream */
	{"allocates-in-stream", allocates_in_stream}, /* cudaMallocAsync() */
	{"cooperates", cooperates},                   /* cudaLaunchCooperativeKernel() */
};

int main(int argc, char **argv)
{
	arguments = argv;
	if (argc > 2)
		wait_ms = atoi(argv[2]);
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
			return ways[i].way();
	fputs("usage: many WAY [MILLISECONDS]\n", stderr);
	return 2;
}
