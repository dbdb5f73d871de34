/* results-write.c: see results.h. A record is written by one call, so a program that is killed leaves whole ones. */
#include "contrast/count/results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "util/file/held.h"

enum { RESULTS_MOST_FILES = 1000, RESULTS_UNOPENED = -1, RESULTS_REFUSED = -2 };

static struct {
	pthread_mutex_t lock;
	char folder[PATH_MAX - NAME_MAX];
	int fd; /* of this process's file; RESULTS_UNOPENED, or RESULTS_REFUSED for good */
	struct held_file held;
} results = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = RESULTS_UNOPENED};

bool count_results_use(const char *folder)
{
	return snprintf(results.folder, sizeof(results.folder), "%s", folder) < (int)sizeof(results.folder);
}

/* A program that calls exec() keeps its process id, so there is a number as well. */
static void open_results(void)
{
	char path[PATH_MAX];

	for (int i = 0; i < RESULTS_MOST_FILES && results.fd == RESULTS_UNOPENED; i++) {
		snprintf(path, sizeof(path), "%s/%d-%d" COUNT_SUFFIX, results.folder, (int)getpid(), i);
		results.fd = file_above_streams(open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
		if (results.fd < 0)
			results.fd = errno == EEXIST ? RESULTS_UNOPENED : RESULTS_REFUSED;
	}
	results.held = file_hold(results.fd);
}

/* Beyond the limit of a file's size, a signal would end the program. */
static bool results_may_grow(uint64_t size)
{
	struct rlimit limit;
	struct stat now;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && fstat(results.fd, &now) == 0 &&
	       (limit.rlim_cur == RLIM_INFINITY || (uint64_t)now.st_size + size <= limit.rlim_cur);
}

/* The lock is held. */
static void append_record(const struct count_record *head, const void *bytes)
{
	const struct iovec parts[] = {{(void *)head, sizeof(*head)}, {(void *)bytes, head->size}};
	size_t whole = sizeof(*head) + head->size;

	/* What follows goes into another file. */
	if (results.fd >= 0 && !file_is_held(&results.held))
		results.fd = RESULTS_UNOPENED;
	if (results.fd == RESULTS_UNOPENED)
		open_results();
	/* Behind a record that was cut off nothing could be found. */
	if (results.fd >= 0 && results_may_grow(whole) && writev(results.fd, parts, 2) == (ssize_t)whole)
		return;
	if (results.fd >= 0)
		close(results.fd);
	results.fd = RESULTS_REFUSED;
}

void count_results_append(const struct count_record *head, const void *bytes)
{
	pthread_mutex_lock(&results.lock);
	append_record(head, bytes);
	pthread_mutex_unlock(&results.lock);
}

/* A thread of the parent may have held the lock. */
void count_results_forget(void)
{
	pthread_mutex_init(&results.lock, NULL);
	if (results.fd >= 0 && file_is_held(&results.held))
		close(results.fd);
	results.fd = RESULTS_UNOPENED;
}
