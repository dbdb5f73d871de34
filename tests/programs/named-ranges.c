/* named-ranges.c: a program with NVTX ranges named "step", in every way in which NVTX takes a name. Nothing of CUDA is
 * in it.
 *
 * usage: named-ranges [WHAT N]...   what is done in order:
 *   push, wide, event, start, domain, registered   N ranges of that kind, one after the other
 *   inside    N times two in each other, with others around and between them
 *   others    N ranges of other names
 *   crossed   N start/end ranges that begin before the first of them ends
 *   handed    N start/end ranges; in each a new thread begins another one, which the first thread ends
 *   threads   N threads at once, each with 1000 ranges
 *   short     N threads one after the other, each with one range
 *   fork      a child of fork() with N ranges, which ends with _exit(); a range is open meanwhile
 *   exec      N ranges, and it becomes this program without arguments
 *   open      N ranges that never end
 *   closes    closes all descriptors, opens the file "theirs"; N ranges; ends with status 95 if they are in it
 *   leave     _exit() with status N;  kill: ends by signal N */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

static const char *self;

static nvtxEventAttributes_t event_of(const char *text)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

	a.messageType = NVTX_MESSAGE_TYPE_ASCII;
	a.message.ascii = text;
	return a;
}

static void push(int n)
{
	for (int i = 0; i < n; i++) {
		nvtxRangePushA("step");
		nvtxRangePop();
	}
}

static void wide(int n)
{
	for (int i = 0; i < n; i++) {
		nvtxRangePushW(L"step");
		nvtxRangePop();
		nvtxRangeEnd(nvtxRangeStartW(L"steps"));
	}
}

static void event(int n)
{
	const nvtxEventAttributes_t a = event_of("step");

	for (int i = 0; i < n; i++) {
		nvtxRangePushEx(&a);
		nvtxRangePop();
	}
}

static void start(int n)
{
	for (int i = 0; i < n; i++)
		nvtxRangeEnd(nvtxRangeStartA("step"));
}

/* Ranges of the default domain and of another one that do not end in the order of their begin. */
static void domain(int n)
{
	nvtxDomainHandle_t mine = nvtxDomainCreateA("mine");
	const nvtxEventAttributes_t a = event_of("step");

	for (int i = 0; i < n; i++) {
		nvtxRangePushA("other");
		nvtxDomainRangePushEx(mine, &a);
		nvtxRangePop();
		nvtxDomainRangePop(mine);
	}
}

static void registered(int n)
{
	nvtxDomainHandle_t mine = nvtxDomainCreateA("registered");
	nvtxEventAttributes_t a = event_of(NULL), b = event_of(NULL);

	a.messageType = b.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	a.message.registered = nvtxDomainRegisterStringA(mine, "step");
	b.message.registered = nvtxDomainRegisterStringW(mine, L"another");
	for (int i = 0; i < n; i++) {
		nvtxDomainRangePushEx(mine, &b);
		nvtxDomainRangeEnd(mine, nvtxDomainRangeStartEx(mine, &a));
		nvtxDomainRangePop(mine);
	}
}

static void inside(int n)
{
	for (int i = 0; i < n; i++) {
		int levels = nvtxRangePushA("around") + nvtxRangePushA("step") + nvtxRangePushA("between") +
			     nvtxRangePushA("step");

		for (int pop = 0; pop < 4; pop++)
			levels -= nvtxRangePop();
		if (levels != 0)
			exit(3);
	}
}

static void others(int n)
{
	for (int i = 0; i < n; i++) {
		nvtxRangePushA(i % 2 == 0 ? "steps" : "ste");
		nvtxRangePop();
		nvtxRangePushA(NULL);
		nvtxRangePop();
		nvtxRangePushEx(NULL);
		nvtxRangePop();
	}
}

static void *begin_for_another(void *id)
{
	*(nvtxRangeId_t *)id = nvtxRangeStartA("step");
	return NULL;
}

static void handed(int n)
{
	for (int i = 0; i < n; i++) {
		nvtxRangeId_t mine = nvtxRangeStartA("step"), other;
		pthread_t thread;

		if (pthread_create(&thread, NULL, begin_for_another, &other) != 0)
			exit(3);
		pthread_join(thread, NULL);
		nvtxRangeEnd(other);
		nvtxRangeEnd(mine);
	}
}

static void crossed(int n)
{
	nvtxRangeId_t *ids = calloc((size_t)n, sizeof(*ids));

	for (int i = 0; i < n && ids; i++)
		ids[i] = nvtxRangeStartA("step");
	for (int i = 0; i < n && ids; i++)
		nvtxRangeEnd(ids[i]);
	free(ids);
}

static void *push_along(void *n)
{
	push(*(int *)n);
	return NULL;
}

static void threads(int n)
{
	static int each = 1000;
	pthread_t all[64];

	for (int i = 0; i < n && i < 64; i++)
		if (pthread_create(&all[i], NULL, push_along, &each) != 0)
			exit(2);
	for (int i = 0; i < n && i < 64; i++)
		pthread_join(all[i], NULL);
}

static void short_threads(int n)
{
	static int each = 1;
	pthread_t thread;

	for (int i = 0; i < n; i++) {
		if (pthread_create(&thread, NULL, push_along, &each) != 0)
			exit(2);
		pthread_join(thread, NULL);
	}
}

static void fork_one(int n)
{
	int status = 0;
	pid_t pid;

	nvtxRangePushA("step");
	pid = fork();
	if (pid == 0) {
		nvtxRangePop();
		push(n);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	nvtxRangePop();
}

static void exec_self(int n)
{
	push(n);
	execl(self, self, (char *)NULL);
	exit(2);
}

static void leave_open(int n)
{
	for (int i = 0; i < n; i++)
		nvtxRangePushA("step");
}

/* No core file: it would be left in a folder of the user's. */
static void die(int number)
{
	const struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	raise(number);
}

static void closes(int n)
{
	struct stat now;
	int theirs;

	push(1);
	for (int fd = 3; fd < 256; fd++)
		close(fd);
	theirs = open("theirs", O_RDWR | O_CREAT | O_TRUNC, 0600);
	push(n);
	if (theirs < 0 || fstat(theirs, &now) != 0 || now.st_size > 0)
		exit(95);
	close(theirs);
	unlink("theirs");
}

static const struct {
	const char *name;
	void (*act)(int n);
} acts[] = {
	{"push", push},
	{"wide", wide},
	{"event", event},
	{"start", start},
	{"domain", domain},
	{"registered", registered},
	{"inside", inside},
	{"others", others},
	{"crossed", crossed},
	{"handed", handed},
	{"threads", threads},
	{"short", short_threads},
	{"fork", fork_one},
	{"exec", exec_self},
	{"open", leave_open},
	{"closes", closes},
	{"leave", _exit},
	{"kill", die},
};

int main(int argc, char **argv)
{
	self = argv[0];
	for (int i = 1; i + 1 < argc; i += 2)
		for (size_t a = 0; a < sizeof(acts) / sizeof(*acts); a++)
			if (strcmp(argv[i], acts[a].name) == 0)
				acts[a].act(atoi(argv[i + 1]));
	return 0;
}
