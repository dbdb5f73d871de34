/* kept.c: see kept.h. */
#include "contrast/step/kept.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contrast/step/median-step.h"
#include "util/alloc.h"

void kept_add(struct kept *kept, size_t side, size_t number, const struct launches *launches, char *path)
{
	struct kept_run *run;

	xgrow(&kept->run, kept->n, &kept->room, sizeof(*kept->run));
	run = &kept->run[kept->n++];
	*run = (struct kept_run){.side = side, .number = number, .launches = launches};
	run->path = path;
}

const char *kept_path(const struct kept *kept, size_t number)
{
	for (size_t i = 0; i < kept->n; i++)
		if (kept->run[i].number == number)
			return kept->run[i].path;
	return NULL;
}

static void kept_drop(struct kept_run *run)
{
	if (run->path)
		unlink(run->path);
	free(run->path);
	run->path = NULL;
}

void kept_free(struct kept *kept)
{
	for (size_t i = 0; i < kept->n; i++)
		kept_drop(&kept->run[i]);
	free(kept->run);
	*kept = (struct kept){.n = 0};
}

static int64_t kept_bytes(const struct kept *kept)
{
	int64_t bytes = 0;
	struct stat file;

	for (size_t i = 0; i < kept->n; i++)
		if (kept->run[i].path && stat(kept->run[i].path, &file) == 0)
			bytes += file.st_size;
	return bytes;
}

/* The median of the steps of the side so far. */
static double median_so_far(const struct kept *kept, size_t side)
{
	struct median_run *runs = xcalloc(kept->n + 1, sizeof(*runs));
	struct median_step step;
	size_t n = 0;

	for (size_t i = 0; i < kept->n; i++)
		if (kept->run[i].side == side)
			runs[n++] =
				(struct median_run){.launches = kept->run[i].launches, .recording = kept->run[i].path};
	median_step_choose(runs, n, STEP_DURATION, &step);
	free(runs);
	return step.median_ns;
}

/* One more than the largest number of a side. */
static size_t kept_sides(const struct kept *kept)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->n; i++)
		n = kept->run[i].side >= n ? kept->run[i].side + 1 : n;
	return n;
}

static size_t recordings_of(const struct kept *kept, size_t side)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->n; i++)
		n += kept->run[i].side == side && kept->run[i].path;
	return n;
}

/* The run whose recording is missed least, by the sides' medians; NULL if each side has one at most. */
static struct kept_run *kept_farthest(struct kept *kept, const double *median)
{
	struct kept_run *farthest = NULL;
	double most = -INFINITY;

	for (size_t i = 0; i < kept->n; i++) {
		struct kept_run *run = &kept->run[i];
		const struct median_run of = {.launches = run->launches};
		double distance;

		if (!run->path || recordings_of(kept, run->side) < 2)
			continue;
		distance = median_step_distance(&of, median[run->side]) / median[run->side];
		if (!(distance > most))
			continue;
		most = distance;
		farthest = run;
	}
	return farthest;
}

void kept_within(struct kept *kept, int64_t bytes)
{
	size_t nsides = kept_sides(kept);
	double *median;

	if (kept_bytes(kept) <= bytes)
		return;
	median = xcalloc(nsides + 1, sizeof(*median));
	for (size_t side = 0; side < nsides; side++)
		median[side] = median_so_far(kept, side);
	while (kept_bytes(kept) > bytes) {
		struct kept_run *run = kept_farthest(kept, median);

		if (!run)
			break;
		kept_drop(run);
	}
	free(median);
}
