/* results-read.c: see results-read.h. */
#include "contrast/count/results-read.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/file/file.h"

/* Who takes records. */
struct results_taker {
	count_results_taker *take;
	void *user;
};

static void take_each_record(const struct results_taker *taker, const char *bytes, size_t size)
{
	struct count_record head;

	for (size_t at = 0; size - at >= sizeof(head); at += (size_t)head.size) {
		char *copy;

		memcpy(&head, bytes + at, sizeof(head));
		at += sizeof(head);
		if (head.magic != COUNT_RECORD_MAGIC || head.size > size - at)
			return;
		/* Aligned, for images. */
		copy = xcalloc(1, (size_t)head.size + 1);
		memcpy(copy, bytes + at, (size_t)head.size);
		taker->take(taker->user, &head, copy);
		free(copy);
	}
}

/* A program that writes more than the library would is refused: it is no reason to run out of memory. */
static int results_of_size(const char *path, struct error *err)
{
	enum { RESULTS_MOST = 1 << 30 }; /* bytes */
	struct stat status;

	if (lstat(path, &status) < 0)
		return error_system(err, "cannot read %s: %s", path, strerror(errno));
	return status.st_size > RESULTS_MOST ? error_set(err, "the results of the program have more than 1 GiB") : 0;
}

static int take_result_file(const struct results_taker *taker, const char *path, struct error *err)
{
	size_t size;
	char *bytes = results_of_size(path, err) < 0 ? NULL : file_read(path, &size, err);

	unlink(path);
	if (!bytes)
		return -1;
	take_each_record(taker, bytes, size);
	free(bytes);
	return 0;
}

static int is_result_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = strlen(COUNT_SUFFIX);

	return length > suffix && strcmp(entry->d_name + length - suffix, COUNT_SUFFIX) == 0;
}

int count_results_take(const char *folder, count_results_taker *take, void *user, struct error *err)
{
	const struct results_taker taker = {take, user};
	struct dirent **entries;
	int n = scandir(folder, &entries, is_result_file, alphasort), code = 0;

	if (n < 0)
		return error_system(err, "cannot read %s: %s", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

		if (take_result_file(&taker, path, code == 0 ? err : NULL) < 0)
			code = -1;
		free(path);
		free(entries[i]);
	}
	free(entries);
	return code;
}
