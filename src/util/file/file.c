/* file.c: see file.h. */
#include "util/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Reads to the end of the file, which may have grown or shrunk since its size was asked for. */
static char *file_read_all(int fd, size_t expected, size_t *size)
{
	size_t capacity = expected + 2, used = 0;
	char *text = malloc(capacity);
	ssize_t n = 1;

	while (text && n != 0) {
		n = read(fd, text + used, capacity - used - 1);
		if (n < 0 && errno != EINTR)
			break;
		used += n > 0 ? (size_t)n : 0;
		if (n > 0 && used == capacity - 1) {
			char *larger = realloc(text, 2 * capacity);

			if (!larger) {
				n = -1;
				break;
			}
			text = larger;
			capacity *= 2;
		}
	}
	if (!text || n < 0) {
		int saved = errno;

		free(text);
		errno = saved;
		return NULL;
	}
	text[used] = '\0';
	*size = used;
	return text;
}

char *file_read(const char *path, size_t *size, struct error *err)
{
	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t used = 0;
	struct stat st;
	char *text;

	if (fd < 0 || fstat(fd, &st)) {
		error_set(err, "cannot read %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		error_set(
			err, "cannot read %s: it is %s", path, S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
		close(fd);
		return NULL;
	}
	text = file_read_all(fd, (size_t)st.st_size, &used);
	if (!text)
		error_set(err, "cannot read %s: %s", path, strerror(errno));
	close(fd);
	if (size)
		*size = used;
	return text;
}

int file_write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

int file_write_quietly(int fd, const void *data, size_t size)
{
	const struct timespec now = {0};
	sigset_t limit, before, pending;
	int failed;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	failed = file_write_all(fd, data, size);
	if (failed == EFBIG && !sigismember(&pending, SIGXFSZ))
		(void)sigtimedwait(&limit, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

bool file_same(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

static bool streams_alike(FILE *a, FILE *b)
{
	char one[BUFSIZ], other[BUFSIZ];
	size_t n;

	do {
		n = fread(one, 1, sizeof(one), a);
		if (fread(other, 1, sizeof(other), b) != n || memcmp(one, other, n) != 0)
			return false;
	} while (n == sizeof(one));
	return !ferror(a) && !ferror(b);
}

bool file_alike(const char *a, const char *b)
{
	FILE *one = fopen(a, "re"), *other = fopen(b, "re");
	bool alike = one && other && streams_alike(one, other);

	if (one)
		fclose(one);
	if (other)
		fclose(other);
	return alike;
}

/* Follows one link: replaces `path`, of PATH_MAX bytes, by the name that it leads to. EINVAL if `path` is no link. */
static int file_follow(char *path)
{
	char link[PATH_MAX];
	ssize_t length = readlink(path, link, sizeof(link) - 1);
	size_t folder;

	if (length < 0)
		return errno;
	link[length] = '\0';
	/* A relative name starts in the folder of the link. */
	folder = link[0] == '/' || !strrchr(path, '/') ? 0 : (size_t)(strrchr(path, '/') + 1 - path);
	if (folder + (size_t)length >= PATH_MAX)
		return ENAMETOOLONG;
	memcpy(path + folder, link, (size_t)length + 1);
	return 0;
}

int file_target(const char *path, char target[PATH_MAX], struct stat *there)
{
	enum { LINKS_MOST = 40 };
	struct stat st;
	int error = 0;

	*there = (struct stat){0};
	if (snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX)
		return ENAMETOOLONG;
	/* The system may forbid to follow a link: ask it first. */
	if (stat(path, there) != 0 && errno != ENOENT)
		return errno;
	for (int i = 0; error == 0; i++)
		error = i < LINKS_MOST ? file_follow(target) : ELOOP;
	if (error != EINVAL && error != ENOENT)
		return error;
	if (S_ISREG(there->st_mode) &&
		(stat(target, &st) != 0 || st.st_dev != there->st_dev || st.st_ino != there->st_ino))
		return ESTALE;
	return 0;
}

bool file_is_full(int errnum)
{
	return errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG;
}

const char *file_output_error(int errnum)
{
	if (errnum == EPIPE)
		return "what reads it has ended";
	if (errnum == EBADF)
		return "it is closed";
	if (file_is_full(errnum))
		return "no space left: free some space or choose another destination";
	return errnum == 0 ? "no space left, or nobody reads it" : strerror(errnum);
}

/* What is wrong with a name, or with the machine, whoever asks; else NULL. */
static const char *open_advice(int errnum)
{
	switch (errnum) {
	case ELOOP:
		return "a link in it leads back to itself: remove that link, or give another name";
	case ENAMETOOLONG:
		return "give a shorter name";
	case EMFILE:
		return "raise the limit (ulimit -n)";
	case ENFILE:
	case ENOMEM:
		return "close other programs";
	default:
		return NULL;
	}
}

const char *file_open_error(int errnum)
{
	static _Thread_local char text[256];
	const char *advice = open_advice(errnum);

	snprintf(text, sizeof(text), "%s%s%s", strerror(errnum), advice ? ": " : "", advice ? advice : "");
	return text;
}

const char *file_write_advice(int errnum)
{
	return open_advice(errnum) ? open_advice(errnum) : "choose another folder with -o";
}

const char *file_read_advice(int errnum)
{
	if (errnum == EIO)
		return "check the disk";
	if (errnum == ENOTDIR)
		return "what stands before a slash in this name is a file";
	return open_advice(errnum) ? open_advice(errnum) : "check its permissions";
}

int file_write_error(struct error *err, const char *path, int errnum)
{
	if (errnum == EFBIG)
		return error_system(err,
			"cannot write %s: no space left under the file size limit: raise it (ulimit -f), "
			"or choose another folder with -o",
			path);
	if (file_is_full(errnum))
		return error_system(err,
			"cannot write %s: no space left on the disk: free some space or choose another "
			"folder with -o",
			path);
	return error_system(err, "cannot write %s: %s: %s", path, strerror(errnum), file_write_advice(errnum));
}
