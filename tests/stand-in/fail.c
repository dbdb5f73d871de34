/* fail.c: which call is to fail, and which calls there are. See fail.h. */
#include "fail.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

enum { FUNCTIONS_MOST = 96, SITES_MOST = 1 << 14, OBJECTS_MOST = 64, DEPTH = 4, PLAN_NAME = 32, SITE_TEXT = 320 };

/* ---- what is asked for ---- */

static struct {
	bool started, logs, plans, is_dbprof;
	char pass[16]; /* of a worker of dbprof: "verify"; "" */
	char function[PLAN_NAME], site[SITE_TEXT];
	unsigned long number;
	int code;
	bool lasts; /* all later calls fail too */
} plan;

static __thread int paused __attribute__((tls_model("initial-exec")));

void fail_pause(void)
{
	paused++;
}

void fail_resume(void)
{
	paused--;
}

bool fail_is_paused(void)
{
	return paused > 0;
}

void *fail_memory(size_t size)
{
	long memory = syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);

	if (memory == -1)
		abort();
	return (void *)memory;
}

bool fail_is_dbprof(void)
{
	return plan.started && plan.is_dbprof;
}

/* FUNCTION[@SITE]:N:CODE. */
static bool read_plan(const char *text)
{
	char code[16], name[PLAN_NAME + SITE_TEXT];
	char *at;

	if (text == NULL || sscanf(text, "%351[^:]:%lu:%15s", name, &plan.number, code) != 3)
		return false;
	at = strchr(name, '@');
	if (at != NULL) {
		*at++ = '\0';
		snprintf(plan.site, sizeof plan.site, "%s", at);
	}
	snprintf(plan.function, sizeof plan.function, "%.31s", name);
	plan.lasts = strchr(code, '+') != NULL;
	plan.code = strcmp(code, "short") == 0 ? FAIL_SHORT : atoi(code);
	return plan.code != 0;
}

/* A worker is told apart from who started it, and from others: each makes calls of its own. */
static void find_pass(int argc, char **argv)
{
	static const char option[] = "--passes=";

	if (argc > 2 && strcmp(argv[1], "worker") == 0 && strncmp(argv[2], option, sizeof option - 1) == 0)
		snprintf(plan.pass, sizeof plan.pass, "%s", argv[2] + sizeof option - 1);
}

void fail_start(int argc, char **argv)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	const char *name;

	path[n > 0 ? n : 0] = '\0';
	name = strrchr(path, '/');
	/* Also of dbprof linked with the shared runtime. */
	plan.is_dbprof = name != NULL && (strcmp(name, "/dbprof") == 0 || strcmp(name, "/dbprof-shared") == 0);
	if (plan.is_dbprof)
		find_pass(argc, argv);
	plan.logs = getenv("FAIL_LOG") != NULL;
	plan.plans = read_plan(getenv("FAIL_CALL"));
	plan.started = true;
}

/* ---- where a call comes from ---- */

static struct object {
	uintptr_t start, end, base;
	bool is_own, is_others; /* neither: libc, or a library that works for who called it */
	bool is_sanitizer;
	char name[48];
} objects[OBJECTS_MOST];
static int nobjects;

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* The stand-in GPU, under any of its names: what it calls is no call of dbprof's, as that of a real driver is none. */
static bool is_stand_in(const char *name)
{
	return strncmp(name, "libstand-in.", 12) == 0 || strncmp(name, "libcudart.", 10) == 0 ||
	       strncmp(name, "libcupti.", 9) == 0 || strncmp(name, "libnvidia-ml.", 13) == 0;
}

/* It stands between dbprof and libc, and makes calls of its own, as where a thread begins. It does not survive
 * failures. */
static bool is_sanitizer(const char *name)
{
	return strncmp(name, "libasan.", 8) == 0 || strncmp(name, "libtsan.", 8) == 0;
}

static int note_object(struct dl_phdr_info *info, size_t size, void *wanted)
{
	uintptr_t address = (uintptr_t)wanted;
	char self[4096];

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;
		struct object *o = &objects[nobjects];
		const char *name = info->dlpi_name;
		ssize_t n;

		if (p->p_type != PT_LOAD || address < start || address >= start + p->p_memsz ||
			nobjects == OBJECTS_MOST)
			continue;
		n = *name == '\0' ? readlink("/proc/self/exe", self, sizeof self - 1) : -1;
		if (n > 0) {
			self[n] = '\0';
			name = plan.pass[0] != '\0' ? plan.pass : self;
		}
		*o = (struct object){start, start + p->p_memsz, info->dlpi_addr, false, false, false, ""};
		snprintf(o->name, sizeof o->name, "%.47s", base_name(name));
		o->is_own = (n > 0 && plan.is_dbprof) || strcmp(o->name, "libdbprof-inject.so") == 0;
		o->is_others = is_stand_in(o->name) || (n > 0 && !plan.is_dbprof);
		o->is_sanitizer = is_sanitizer(o->name);
		nobjects++;
		return 1;
	}
	return 0;
}

static const struct object *object_of(uintptr_t address)
{
	int n = nobjects;

	for (int i = 0; i < n; i++)
		if (address >= objects[i].start && address < objects[i].end)
			return &objects[i];
	dl_iterate_phdr(note_object, (void *)address);
	return nobjects > n ? &objects[n] : NULL;
}

/* The innermost frames in objects of dbprof's own, as return addresses; 0 behind them. Helpers such as put_json() are
 * called from everywhere: it takes a few frames to tell the calls apart. */
struct frames {
	uintptr_t address[DEPTH];
	int n;
	bool is_foreign; /* the stand-in GPU made the call, the program that is traced, or a sanitizer for itself */
};

static bool same_frames(const struct frames *a, const struct frames *b)
{
	return a->n == b->n && memcmp(a->address, b->address, sizeof a->address) == 0;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *user)
{
	uintptr_t ip = _Unwind_GetIP(context);
	const struct object *o = ip == 0 ? NULL : object_of(ip - 1);
	struct frames *frames = user;

	if (o == NULL || !o->is_own) {
		if (frames->n > 0)
			return _URC_END_OF_STACK;
		/* A frame of dbprof's own further out shows for whom a sanitizer works. */
		frames->is_foreign = frames->is_foreign || (o != NULL && (o->is_others || o->is_sanitizer));
		return o != NULL && o->is_others ? _URC_END_OF_STACK : _URC_NO_REASON;
	}
	frames->is_foreign = false;
	frames->address[frames->n++] = ip;
	return frames->n < DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static struct frames own_frames(void)
{
	struct frames frames = {0};

	_Unwind_Backtrace(look, &frames);
	return frames;
}

void fail_site_text(const void *address, char *text, size_t size)
{
	const struct object *o = object_of((uintptr_t)address);

	if (o == NULL)
		snprintf(text, size, "unknown");
	else
		snprintf(text, size, "%s+0x%lx", o->name, (unsigned long)((uintptr_t)address - o->base));
}

/* ---- counting ---- */

static struct counter {
	const char *function;
	unsigned long calls;
	unsigned long at_site; /* of those, from the plan's site */
} counters[FUNCTIONS_MOST];

static struct site {
	const char *function;
	struct frames frames;
	unsigned long first, last, count;
} * sites;

static int lock;

static void take_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
		;
}

static void drop_lock(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static struct counter *counter_of(const char *function)
{
	for (int i = 0; i < FUNCTIONS_MOST - 1; i++) {
		if (counters[i].function == NULL)
			counters[i].function = function;
		if (strcmp(counters[i].function, function) == 0)
			return &counters[i];
	}
	return &counters[FUNCTIONS_MOST - 1];
}

static void note_site(const char *function, const struct frames *frames, unsigned long number)
{
	size_t i = (uintptr_t)function;

	for (int f = 0; f < DEPTH; f++)
		i = (i ^ frames->address[f]) * 0x9E3779B97F4A7C15u;
	i = (i >> 32) % SITES_MOST;

	if (sites == NULL)
		sites = fail_memory(SITES_MOST * sizeof *sites);
	for (size_t tries = 0; tries < SITES_MOST; tries++, i = (i + 1) % SITES_MOST) {
		if (sites[i].function == NULL)
			sites[i] = (struct site){function, *frames, number, number, 0};
		if (sites[i].function != function || !same_frames(&sites[i].frames, frames))
			continue;
		sites[i].last = number;
		sites[i].count++;
		return;
	}
}

/* "dbprof+0x1234<dbprof+0x5678": the innermost frame, and who called it. */
static void frames_text(const struct frames *frames, char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; i == 0 || i < frames->n; i++) {
		if (i > 0)
			used += (size_t)snprintf(text + used, size - used, "<");
		fail_site_text((const void *)frames->address[i], text + used, size - used);
		used += strlen(text + used);
	}
}

static bool is_site(const struct frames *frames)
{
	char text[SITE_TEXT];

	frames_text(frames, text, sizeof text);
	return strcmp(text, plan.site) == 0;
}

/* With the lock held: whether this call is the one, or one of those after it. */
static bool is_the_one(struct counter *c, const struct frames *frames)
{
	unsigned long number = c->calls;

	if (!plan.plans || strcmp(c->function, plan.function) != 0)
		return false;
	if (plan.site[0] != '\0' && !is_site(frames))
		return false;
	if (plan.site[0] != '\0')
		number = ++c->at_site;
	return plan.number == 0 || number == plan.number || (plan.lasts && number > plan.number);
}

static int count(const char *function)
{
	bool everywhere = plan.is_dbprof && !plan.logs && plan.site[0] == '\0';
	struct frames frames = {0};
	struct counter *c;
	int code;

	/* Also the unwinder, which has locks of its own: see fail_hold(). */
	take_lock();
	if (!everywhere)
		frames = own_frames();
	/* A call of a program that is traced, not of ours. */
	if (frames.is_foreign || (!plan.is_dbprof && frames.n == 0)) {
		drop_lock();
		return 0;
	}
	c = counter_of(function);
	c->calls++;
	if (plan.logs)
		note_site(c->function, &frames, c->calls);
	code = is_the_one(c, &frames) ? plan.code : 0;
	drop_lock();
	return code;
}

void fail_hold(void)
{
	take_lock();
}

void fail_let_go(void)
{
	drop_lock();
}

int fail_here(const char *function, bool is_write)
{
	int code, before = errno;

	if (paused > 0 || !plan.started)
		return 0;
	if (!plan.logs && !plan.plans)
		return 0;
	fail_pause();
	code = count(function);
	if (code == FAIL_SHORT && !is_write)
		code = 0;
	if (code != 0)
		fail_append("FAIL_FIRED", "", 0);
	fail_resume();
	errno = before;
	return code;
}

void fail_next(const char *name, void *next)
{
	void *found;

	fail_pause();
	found = dlsym(RTLD_NEXT, name);
	fail_resume();
	memcpy(next, &found, sizeof found);
}

/* ---- the log ---- */

void fail_append(const char *variable, const char *text, size_t size)
{
	const char *path = getenv(variable);
	long fd = path == NULL ? -1
			       : syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0)
		return;
	if (size > 0)
		syscall(SYS_write, fd, text, size);
	syscall(SYS_close, fd);
}

void fail_write_log(void)
{
	char line[SITE_TEXT + 128], place[SITE_TEXT];

	if (!plan.logs || sites == NULL)
		return;
	fail_pause();
	for (size_t i = 0; i < SITES_MOST; i++) {
		const struct site *s = &sites[i];
		int n;

		if (s->function == NULL)
			continue;
		frames_text(&s->frames, place, sizeof place);
		n = snprintf(line, sizeof line, "%s %s %lu %lu %lu\n", s->function, place, s->first, s->last, s->count);
		fail_append("FAIL_LOG", line, (size_t)n);
	}
	fail_resume();
	fail_forget_log();
}

void fail_forget_log(void)
{
	if (sites != NULL)
		memset(sites, 0, SITES_MOST * sizeof *sites);
}
