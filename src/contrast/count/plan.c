/* plan.c: see plan.h. A file is a row of 64-bit numbers in the machine's byte order. A text or an image is its length
 * and its bytes, filled up with zeros to a multiple of eight; a text has one zero at least. */
#include "contrast/count/plan.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t PLAN_MAGIC = UINT64_C(0x3674636f72706264); /* "dbproct6" */

enum { PLAN_WORD = sizeof(uint64_t), PLAN_MOST = 1 << 20 }; /* groups, metrics or kernels: no plan has so many */

/* ---- writing ---- */

static void put_number(FILE *file, uint64_t number)
{
	(void)fwrite(&number, sizeof(number), 1, file);
}

static void put_filled(FILE *file, const void *bytes, size_t size, size_t filled)
{
	static const char zeros[PLAN_WORD];

	put_number(file, size);
	(void)fwrite(bytes, 1, size, file);
	(void)fwrite(zeros, 1, filled - size, file);
}

static size_t words_for(size_t size)
{
	return (size + PLAN_WORD - 1) / PLAN_WORD * PLAN_WORD;
}

static void put_plan_text(FILE *file, const char *text)
{
	put_filled(file, text, strlen(text), words_for(strlen(text) + 1));
}

static void put_group(FILE *file, const struct count_group *group)
{
	put_number(file, group->passes);
	put_number(file, group->nmetrics);
	for (size_t i = 0; i < group->nmetrics; i++)
		put_plan_text(file, group->metrics[i]);
	put_filled(file, group->image, group->image_size, words_for(group->image_size));
}

static void put_kernel(FILE *file, const struct count_kernel *kernel)
{
	put_plan_text(file, kernel->symbol);
	for (int i = 0; i < 3; i++)
		put_number(file, kernel->grid[i]);
	for (int i = 0; i < 3; i++)
		put_number(file, kernel->block[i]);
	put_number(file, kernel->shared);
	put_number(file, kernel->first);
	put_number(file, kernel->end);
	put_number(file, kernel->launches);
	put_number(file, kernel->rank);
	put_number(file, kernel->ngroups);
	for (size_t i = 0; i < kernel->ngroups; i++)
		put_number(file, kernel->groups[i]);
	put_number(file, kernel->nnumbers);
	for (size_t i = 0; i < kernel->nnumbers; i++)
		put_number(file, kernel->numbers[i]);
}

static void put_curves(FILE *file, const struct count_curves *curves)
{
	put_number(file, curves->wanted);
	put_number(file, curves->device);
	put_number(file, curves->interval_ns);
	put_number(file, curves->samples);
	put_number(file, curves->warm);
	put_number(file, curves->most_ns);
	put_plan_text(file, curves->gpu ? curves->gpu : "");
	put_number(file, curves->nsteps);
	for (size_t i = 0; i < curves->nsteps; i++)
		put_number(file, curves->steps[i]);
}

void count_plan_write(const struct count_plan *plan, FILE *file)
{
	put_number(file, PLAN_MAGIC);
	put_number(file, plan->period);
	put_plan_text(file, plan->chip ? plan->chip : "");
	put_curves(file, &plan->curves);
	put_number(file, plan->ngroups);
	for (size_t i = 0; i < plan->ngroups; i++)
		put_group(file, &plan->groups[i]);
	put_number(file, plan->nkernels);
	for (size_t i = 0; i < plan->nkernels; i++)
		put_kernel(file, &plan->kernels[i]);
}

/* ---- reading ---- */

/* What is left of the file. Behind the first error it is empty. */
struct plan_cursor {
	char *at;
	size_t left;
	bool failed;
};

static char *take_bytes(struct plan_cursor *cursor, size_t size)
{
	char *at = cursor->at;

	if (cursor->failed || size > cursor->left) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at += size;
	cursor->left -= size;
	return at;
}

static uint64_t take_plan_number(struct plan_cursor *cursor)
{
	const char *bytes = take_bytes(cursor, PLAN_WORD);
	uint64_t number = 0;

	if (bytes)
		memcpy(&number, bytes, sizeof(number));
	return number;
}

static size_t take_count(struct plan_cursor *cursor)
{
	uint64_t n = take_plan_number(cursor);

	if (n > PLAN_MOST)
		cursor->failed = true;
	return cursor->failed ? 0 : (size_t)n;
}

/* "" behind an error. */
static const char *take_plan_text(struct plan_cursor *cursor)
{
	size_t length = take_count(cursor);
	const char *text = take_bytes(cursor, words_for(length + 1));

	if (text && text[length] != '\0')
		cursor->failed = true;
	return text && !cursor->failed ? text : "";
}

/* NULL without memory, which is an error, and of nothing. */
static void *take_room(struct plan_cursor *cursor, size_t n, size_t size)
{
	void *room = n > 0 && !cursor->failed ? calloc(n, size) : NULL;

	cursor->failed |= n > 0 && !room;
	return room;
}

static void take_group(struct plan_cursor *cursor, struct count_group *group)
{
	uint64_t size;

	group->passes = take_plan_number(cursor);
	group->nmetrics = take_count(cursor);
	group->metrics = take_room(cursor, group->nmetrics, sizeof(*group->metrics));
	for (size_t i = 0; i < group->nmetrics && !cursor->failed; i++)
		group->metrics[i] = take_plan_text(cursor);
	size = take_plan_number(cursor);
	group->image_size = size <= cursor->left ? (size_t)size : cursor->left;
	group->image = (const uint8_t *)take_bytes(cursor, words_for(group->image_size));
	cursor->failed |= size != group->image_size;
}

static void take_kernel(struct plan_cursor *cursor, struct count_kernel *kernel, size_t ngroups)
{
	kernel->symbol = take_plan_text(cursor);
	for (int i = 0; i < 3; i++)
		kernel->grid[i] = take_plan_number(cursor);
	for (int i = 0; i < 3; i++)
		kernel->block[i] = take_plan_number(cursor);
	kernel->shared = take_plan_number(cursor);
	kernel->first = take_plan_number(cursor);
	kernel->end = take_plan_number(cursor);
	kernel->launches = take_plan_number(cursor);
	kernel->rank = take_plan_number(cursor);
	kernel->ngroups = take_count(cursor);
	kernel->groups = take_room(cursor, kernel->ngroups, sizeof(*kernel->groups));
	for (size_t i = 0; i < kernel->ngroups && !cursor->failed; i++) {
		kernel->groups[i] = take_plan_number(cursor);
		cursor->failed |= kernel->groups[i] >= ngroups;
	}
	kernel->nnumbers = take_count(cursor);
	/* All of the file is numbers in their order, so these are aligned. */
	kernel->numbers = (const uint64_t *)(const void *)take_bytes(cursor, kernel->nnumbers * PLAN_WORD);
}

static void take_curves(struct plan_cursor *cursor, struct count_curves *curves)
{
	size_t n;

	curves->wanted = take_plan_number(cursor);
	curves->device = take_plan_number(cursor);
	curves->interval_ns = take_plan_number(cursor);
	curves->samples = take_plan_number(cursor);
	curves->warm = take_plan_number(cursor);
	curves->most_ns = take_plan_number(cursor);
	curves->gpu = take_plan_text(cursor);
	n = take_count(cursor);
	curves->steps = take_room(cursor, n, sizeof(*curves->steps));
	curves->nsteps = curves->steps ? n : 0;
	for (size_t i = 0; i < curves->nsteps; i++)
		curves->steps[i] = take_plan_number(cursor);
}

/* The counts are set behind their room, so that count_plan_free() can free what is there. */
static bool take_plan(struct plan_cursor *cursor, struct count_plan *plan)
{
	size_t n;

	if (take_plan_number(cursor) != PLAN_MAGIC)
		return false;
	plan->period = take_plan_number(cursor);
	plan->chip = take_plan_text(cursor);
	take_curves(cursor, &plan->curves);
	n = take_count(cursor);
	plan->groups = take_room(cursor, n, sizeof(*plan->groups));
	plan->ngroups = plan->groups ? n : 0;
	for (size_t i = 0; i < plan->ngroups; i++)
		take_group(cursor, &plan->groups[i]);
	n = take_count(cursor);
	plan->kernels = take_room(cursor, n, sizeof(*plan->kernels));
	plan->nkernels = plan->kernels ? n : 0;
	for (size_t i = 0; i < plan->nkernels; i++)
		take_kernel(cursor, &plan->kernels[i], plan->ngroups);
	/* Each group has its step. */
	return !cursor->failed && (plan->curves.nsteps == 0 || plan->curves.nsteps == plan->ngroups);
}

/* The whole file, for free(); NULL if it cannot be read. */
static char *read_whole(FILE *file, size_t *size)
{
	char *bytes;
	long length;

	if (fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) <= 0 || fseek(file, 0, SEEK_SET) != 0)
		return NULL;
	bytes = malloc((size_t)length);
	*size = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
	return bytes;
}

bool count_plan_read(const char *path, struct count_plan *plan)
{
	FILE *file = fopen(path, "re");
	struct plan_cursor cursor = {0};

	*plan = (struct count_plan){0};
	if (!file)
		return false;
	plan->bytes = read_whole(file, &cursor.left);
	fclose(file);
	cursor.at = plan->bytes;
	if (plan->bytes && take_plan(&cursor, plan))
		return true;
	count_plan_free(plan);
	return false;
}

void count_plan_free(struct count_plan *plan)
{
	for (size_t i = 0; i < plan->ngroups; i++)
		free(plan->groups[i].metrics);
	for (size_t i = 0; i < plan->nkernels; i++)
		free(plan->kernels[i].groups);
	free(plan->curves.steps);
	free(plan->groups);
	free(plan->kernels);
	free(plan->bytes);
	*plan = (struct count_plan){0};
}
