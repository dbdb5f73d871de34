/* steps.c: see steps.h. */
#include "contrast/steps.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrast/range/range.h"
#include "util/alloc.h"
#include "util/file/file.h"
#include "util/numbering.h"

struct taken {
	struct side_step *steps;
	size_t n, room;
	int64_t offset_ns;
	int lost;
};

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return length > end && strcmp(name + length - end, suffix) == 0;
}

/* The errno in the name of a file that tells of a loss; 0 for another file. */
static int loss_of_name(const char *name)
{
	enum { ERRNO_MOST = 4095 };
	const char *number = strchr(name, '-');
	long errnum = number && has_suffix(name, RANGE_LOST_SUFFIX) ? strtol(number + 1, NULL, 10) : 0;

	return errnum > 0 && errnum <= ERRNO_MOST ? (int)errnum : 0;
}

/* The program had the file: what cannot be is left out. */
static void steps_take_record(struct taken *taken, const struct range_record *record)
{
	if (record->start <= 0 || record->end < record->start || record->end > INT64_MAX / 2)
		return;
	xgrow(&taken->steps, taken->n, &taken->room, sizeof(*taken->steps));
	taken->steps[taken->n++] = (struct side_step){
		record->start + taken->offset_ns, record->end + taken->offset_ns, record->process, record->thread};
}

static int steps_take_file(struct taken *taken, const char *path, struct error *err)
{
	struct range_record record;
	size_t size;
	char *bytes = file_read(path, &size, err);

	if (!bytes)
		return -1;
	for (size_t at = 0; at + sizeof(record) <= size; at += sizeof(record)) {
		memcpy(&record, bytes + at, sizeof(record));
		steps_take_record(taken, &record);
	}
	free(bytes);
	return 0;
}

static int steps_by_start(const void *left, const void *right)
{
	const struct side_step *a = left, *b = right;

	return a->start_ns != b->start_ns ? (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns)
					  : (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

static int take_files(struct taken *taken, DIR *dir, const char *folder, struct error *err)
{
	const struct dirent *entry;
	int code = 0;

	while ((entry = readdir(dir))) {
		bool is_range = has_suffix(entry->d_name, RANGE_SUFFIX);
		int lost = loss_of_name(entry->d_name);
		char *path;

		if (!is_range && lost == 0)
			continue;
		taken->lost = lost > 0 ? lost : taken->lost;
		path = xasprintf("%s/%s", folder, entry->d_name);
		if (code == 0 && is_range)
			code = steps_take_file(taken, path, err);
		(void)unlink(path);
		free(path);
	}
	return code;
}

int steps_take(const char *folder, int64_t offset_ns, struct steps_taken *out, struct error *err)
{
	struct taken taken = {.offset_ns = offset_ns};
	DIR *dir = opendir(folder);
	int code;

	*out = (struct steps_taken){.steps = NULL};
	if (!dir)
		return error_system(err, "cannot read %s: %s", folder, strerror(errno));
	code = take_files(&taken, dir, folder, err);
	closedir(dir);
	if (taken.n > 1)
		qsort(taken.steps, taken.n, sizeof(*taken.steps), steps_by_start);
	*out = (struct steps_taken){taken.steps, taken.n, taken.lost};
	return code;
}

/* ---- those that count ---- */

void steps_drop_nested(struct side_step *steps, size_t *n)
{
	int64_t *ends = xcalloc(*n + 1, sizeof(*ends)); /* of the last one that was kept, by thread */
	struct numbering threads = {0};
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		int64_t *end = &ends[numbering_place(&threads, steps[i].thread)];

		if (steps[i].end_ns <= *end)
			continue;
		*end = steps[i].end_ns;
		steps[kept++] = steps[i];
	}
	*n = kept;
	numbering_free(&threads);
	free(ends);
}
