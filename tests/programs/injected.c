/*
 * injected.c: does in one process what programs do to a tracer, with the CUPTI of tests/stand-in in the place of the
 * real one. Steps are done in order; at the end it prints "process PID kernels N ranges N", as forked children do.
 *
 *   cuda, nvtx          what the driver, or NVTX, does at its first call
 *   both                the two at once, in two threads
 *   launch N            N kernels; "hang N": that never end
 *   threads T N         N kernels in each of T threads
 *   ranges N            N ranges one after the other; "crossed N": all begun before the first ends, in the same order
 *   profile N           a profiler of its own records N kernels, and prints "profiled N"
 *   early               a profiler of its own is at work before CUDA starts, and takes a buffer of its own
 *   finalize            a profiler of its own ends CUPTI
 *   late                one that was found with dlsym() takes over
 *   subscribe           it wants CUPTI's callbacks for itself, and launches a kernel of its own; prints "subscribed
 *                       CODE MODULES", with what CUPTI said and how many modules it was told of
 *   fork                what follows is done in a child, and the parent waits for it
 *   detach FILE         what follows is done in a child, which is not waited for longer than until there is FILE
 *   orphaned            waits until its parent has ended
 *   closes FILE         closes all descriptors above 2 and opens FILE in their place; "appends TEXT" writes to them
 *   loads FILE N        loads and unloads a shared object N times
 *   await FILE          until there is such a file, for ten minutes at most; "makes FILE" makes one
 *   sleep MS, exit STATUS, leave STATUS (_exit), abort
 */
#include <cupti.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../stand-in/work.h"

enum { MAX_THREADS = 1024, MAX_OPEN = 1 << 20, BUFFER = 65536 };

static atomic_long kernels, ranges, profiled;
static int (*inject_cuda)(void), (*inject_nvtx)(void *table);
static int opened[64], nopened;

static void say(void)
{
	printf("process %d kernels %ld ranges %ld\n", (int)getpid(), atomic_load(&kernels), atomic_load(&ranges));
	fflush(stdout);
}

static void nap(long ms)
{
	const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static void await_file(const char *file)
{
	for (int tries = 0; tries < 60000 && access(file, F_OK) != 0; tries++)
		nap(10);
}

static void make_file(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		exit(95);
	close(fd);
}

/* ---- what loads the library ---- */

static void find_library(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path == NULL || inject_cuda != NULL ? NULL : dlopen(path, RTLD_NOW);

	if (library == NULL)
		return;
	*(void **)&inject_cuda = dlsym(library, "InitializeInjection");
	*(void **)&inject_nvtx = dlsym(library, "InitializeInjectionNvtx2");
}

static void start_cuda(void)
{
	find_library();
	if (inject_cuda != NULL)
		stand_in_start_cuda(inject_cuda);
}

static void start_nvtx(void)
{
	find_library();
	if (inject_nvtx != NULL)
		inject_nvtx(NULL);
}

static void *cuda_thread(void *unused)
{
	start_cuda();
	return unused;
}

static void start_both(void)
{
	pthread_t thread;

	find_library();
	pthread_create(&thread, NULL, cuda_thread, NULL);
	nap(20);
	start_nvtx();
	pthread_join(thread, NULL);
}

/* ---- work ---- */

static void launch(long n)
{
	for (long i = 0; i < n; i++)
		stand_in_launch("_Z7add_onePf", true);
	atomic_fetch_add(&kernels, n);
}

static void hang(long n)
{
	for (long i = 0; i < n; i++)
		stand_in_launch("_Z5neverv", false);
}

static void *launch_thread(void *n)
{
	launch((long)n);
	return NULL;
}

static void launch_in_threads(long nthreads, long n)
{
	static pthread_t threads[MAX_THREADS];

	for (long i = 0; i < nthreads && i < MAX_THREADS; i++)
		pthread_create(&threads[i], NULL, launch_thread, (void *)n);
	for (long i = 0; i < nthreads && i < MAX_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void open_ranges(long n)
{
	for (long i = 0; i < n; i++)
		stand_in_range_end(stand_in_range_begin("range"));
	atomic_fetch_add(&ranges, n);
}

static void cross_ranges(long n)
{
	uint32_t *ids = malloc((size_t)n * sizeof *ids);

	if (ids == NULL)
		exit(99);
	for (long i = 0; i < n; i++)
		ids[i] = stand_in_range_begin("crossed");
	for (long i = 0; i < n; i++)
		stand_in_range_end(ids[i]);
	free(ids);
	atomic_fetch_add(&ranges, n);
}

/* ---- profilers of its own ---- */

/* Of a buffer that CUPTI still has when another client of it comes, nobody hears again: that is no leak of this
 * program's. */
static uint8_t *volatile last_given;

static void CUPTIAPI own_request(uint8_t **buffer, size_t *size, size_t *max)
{
	*buffer = last_given = malloc(BUFFER);
	*size = BUFFER;
	*max = 0;
}

static void CUPTIAPI own_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	CUpti_Activity *record = NULL;

	(void)context;
	(void)stream;
	(void)size;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
		if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
			atomic_fetch_add(&profiled, 1);
	free(buffer);
}

static void profile(long n)
{
	if (cuptiActivityRegisterCallbacks(own_request, own_complete) != CUPTI_SUCCESS ||
		cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
		exit(98);
	for (long i = 0; i < n; i++)
		stand_in_launch("_Z8profiledv", true);
	cuptiActivityFlushAll(0);
	cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	printf("profiled %ld\n", atomic_exchange(&profiled, 0));
	fflush(stdout);
}

static void profile_early(void)
{
	cuptiActivityRegisterCallbacks(own_request, own_complete);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	stand_in_launch("_Z5earlyv", true);
}

static void CUPTIAPI count_modules(void *modules, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	(void)domain, (void)id, (void)data;
	++*(int *)modules;
}

static void subscribe(void)
{
	static int modules;
	CUpti_SubscriberHandle subscriber;
	CUptiResult code = cuptiSubscribe(&subscriber, count_modules, &modules);

	if (code == CUPTI_SUCCESS)
		code = cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
	stand_in_launch("_Z10subscribedv", true);
	printf("subscribed %d %d\n", (int)code, modules);
	fflush(stdout);
}

static void profile_late(void)
{
	CUptiResult (*registers)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);

	*(void **)&registers = dlsym(RTLD_DEFAULT, "cuptiActivityRegisterCallbacks");
	if (registers == NULL || registers(own_request, own_complete) != CUPTI_SUCCESS)
		exit(98);
}

/* ---- processes and descriptors ---- */

static pid_t parent;

static void await_end_of_parent(void)
{
	while (getppid() == parent)
		nap(1);
}

/* Waits for its end, or for a file that it makes. */
static void go_on_in_child(const char *file)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	parent = getpid();
	pid = fork();
	if (pid == 0) {
		atomic_store(&kernels, 0);
		atomic_store(&ranges, 0);
		return;
	}
	if (file == NULL)
		waitpid(pid, &status, 0);
	else
		await_file(file);
	say();
	exit(WEXITSTATUS(status));
}

static void replace_descriptors(const char *path)
{
	for (int fd = 3; fd < 64; fd++)
		if (close(fd) == 0 && nopened < 64)
			opened[nopened++] = fd;
	for (int i = 0; i < nopened; i++)
		opened[i] = open(path, O_RDWR | O_CREAT, 0600);
}

static void append(const char *text)
{
	for (int i = 0; i < nopened; i++)
		if (lseek(opened[i], 0, SEEK_END) < 0 || write(opened[i], text, strlen(text)) < 0)
			exit(97);
}

static void load_again(const char *path, long n)
{
	for (long i = 0; i < n; i++) {
		void *object = dlopen(path, RTLD_NOW);
		void (*touch)(void);

		if (object == NULL)
			exit(96);
		*(void **)&touch = dlsym(object, "touch");
		if (touch != NULL)
			touch();
		dlclose(object);
	}
}

/* ---- steps ---- */

static bool step(const char *name)
{
	if (strcmp(name, "cuda") == 0)
		start_cuda();
	else if (strcmp(name, "nvtx") == 0)
		start_nvtx();
	else if (strcmp(name, "both") == 0)
		start_both();
	else if (strcmp(name, "early") == 0)
		profile_early();
	else if (strcmp(name, "finalize") == 0)
		cuptiFinalize();
	else if (strcmp(name, "subscribe") == 0)
		subscribe();
	else if (strcmp(name, "late") == 0)
		profile_late();
	else if (strcmp(name, "fork") == 0)
		go_on_in_child(NULL);
	else if (strcmp(name, "orphaned") == 0)
		await_end_of_parent();
	else if (strcmp(name, "abort") == 0)
		abort();
	else
		return false;
	return true;
}

static bool step_with(const char *name, const char *argument)
{
	long n = atol(argument);

	if (strcmp(name, "launch") == 0)
		launch(n);
	else if (strcmp(name, "hang") == 0)
		hang(n);
	else if (strcmp(name, "ranges") == 0)
		open_ranges(n);
	else if (strcmp(name, "crossed") == 0)
		cross_ranges(n);
	else if (strcmp(name, "profile") == 0)
		profile(n);
	else if (strcmp(name, "closes") == 0)
		replace_descriptors(argument);
	else if (strcmp(name, "appends") == 0)
		append(argument);
	else if (strcmp(name, "await") == 0)
		await_file(argument);
	else if (strcmp(name, "detach") == 0)
		go_on_in_child(argument);
	else if (strcmp(name, "makes") == 0)
		make_file(argument);
	else if (strcmp(name, "sleep") == 0)
		nap(n);
	else if (strcmp(name, "exit") == 0 || strcmp(name, "leave") == 0) {
		say();
		if (name[0] == 'l')
			_exit((int)n);
		exit((int)n);
	} else {
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (i + 2 < argc && strcmp(argv[i], "threads") == 0) {
			launch_in_threads(atol(argv[i + 1]), atol(argv[i + 2]));
			i += 2;
		} else if (i + 2 < argc && strcmp(argv[i], "loads") == 0) {
			load_again(argv[i + 1], atol(argv[i + 2]));
			i += 2;
		} else if (i + 1 < argc && step_with(argv[i], argv[i + 1])) {
			i++;
		} else if (!step(argv[i])) {
			return 64;
		}
	}
	say();
	return 0;
}
