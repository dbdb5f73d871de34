/* times.c: what the library that times a range does with it: it writes begin and end down. The mark of a range is the
 * time at which it began. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "contrast/range/file.h"
#include "contrast/range/heard.h"
#include "contrast/range/range.h"

/* Of a thread that has had such a range. */
struct timing_thread {
	struct range_chunk chunk;
	pid_t process, id;
};

enum { OPEN_MOST = 4096 };

/* Start/end ranges may end in another thread than the one whose steps they are. Of more than there is room for the
 * thread that ends them counts. */
static struct {
	pthread_mutex_t lock;
	struct {
		int64_t mark;
		pid_t thread;
	} range[OPEN_MOST];
	size_t n;
} opened = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_key_t timing_key; /* tells of a thread's end */
static __thread struct timing_thread *this_timing;

static int64_t range_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* NULL without memory. */
static struct timing_thread *get_timing_thread(void)
{
	struct timing_thread *thread = this_timing;

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread || pthread_setspecific(timing_key, thread) != 0) {
		free(thread);
		return NULL;
	}
	thread->process = getpid();
	thread->id = gettid();
	this_timing = thread;
	return thread;
}

static void timing_thread_ends(void *ended)
{
	struct timing_thread *thread = ended;

	this_timing = NULL;
	range_file_give_back(&thread->chunk);
	free(thread);
}

static bool timing_is_wanted(void)
{
	const char *folder = getenv(RANGE_FOLDER);

	return folder && *folder != '\0' && range_file_use(folder) &&
	       pthread_key_create(&timing_key, timing_thread_ends) == 0;
}

static void note_opener(int64_t mark, pid_t thread)
{
	pthread_mutex_lock(&opened.lock);
	if (opened.n < OPEN_MOST) {
		opened.range[opened.n].mark = mark;
		opened.range[opened.n++].thread = thread;
	}
	pthread_mutex_unlock(&opened.lock);
}

/* `self` if the range was not noted. */
static pid_t take_opener(int64_t mark, pid_t self)
{
	pthread_mutex_lock(&opened.lock);
	for (size_t i = opened.n; i-- > 0;)
		if (opened.range[i].mark == mark) {
			self = opened.range[i].thread;
			opened.range[i] = opened.range[--opened.n];
			break;
		}
	pthread_mutex_unlock(&opened.lock);
	return self;
}

/* The room for its record is made before it begins. */
static int64_t timing_begins(bool nests)
{
	struct timing_thread *thread = get_timing_thread();
	int64_t mark = thread && range_file_more(&thread->chunk) ? range_clock() : 0;

	if (mark > 0 && !nests)
		note_opener(mark, thread->id);
	return mark;
}

static void timing_ends(int64_t mark, bool nests)
{
	int64_t end = range_clock();
	struct timing_thread *thread = get_timing_thread();
	struct range_record *record;

	if (!thread || !range_file_more(&thread->chunk))
		return;
	record = &thread->chunk.at[thread->chunk.used++];
	record->start = mark;
	record->process = thread->process;
	record->thread = nests ? thread->id : take_opener(mark, thread->id);
	__atomic_store_n(&record->end, end, __ATOMIC_RELEASE);
}

/* The file and the chunks are the parent's. */
static void timing_forgets(void)
{
	range_file_forget();
	opened.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	opened.n = 0;
	(void)pthread_setspecific(timing_key, NULL);
	this_timing = NULL;
}

const struct range_ear range_ear = {timing_is_wanted, timing_begins, timing_ends, timing_forgets};
