/* lines.c: puts two files side by side: which line of one belongs to which line of the other. */
#include "analyze/lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* A line without the white space around it; borrows the caller's text. */
struct slice {
	const char *text;
	size_t length;
};

/* What to do at (i, j): match the two lines, or skip one line of a, or of b. */
enum step { STEP_MATCH, STEP_SKIP_A, STEP_SKIP_B };

enum { MAX_CELLS = 64 << 20 };

/* Both files trimmed, and step[i * nb + j]: the best way from (i, j) to the end. */
struct alignment {
	struct slice *a, *b;
	int na, nb;
	unsigned char *step;
	int *longest; /* two rows of nb + 1: matches still to come */
};

static struct slice lines_trim(const char *line)
{
	size_t length;

	while (isspace((unsigned char)*line))
		line++;
	length = strlen(line);
	while (length > 0 && isspace((unsigned char)line[length - 1]))
		length--;
	return (struct slice){line, length};
}

static bool equal(struct slice a, struct slice b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

static void lines_release(struct alignment *work)
{
	free(work->longest);
	free(work->step);
	free(work->b);
	free(work->a);
}

static void lines_prepare(struct alignment *work, const char *const *a, int na, const char *const *b, int nb)
{
	*work = (struct alignment){.na = na, .nb = nb};
	work->a = xcalloc((size_t)na, sizeof(*work->a));
	work->b = xcalloc((size_t)nb, sizeof(*work->b));
	work->step = xcalloc((size_t)na * (size_t)nb, 1);
	work->longest = xcalloc(2 * ((size_t)nb + 1), sizeof(*work->longest));
	for (int i = 0; i < na; i++)
		work->a[i] = lines_trim(a[i]);
	for (int j = 0; j < nb; j++)
		work->b[j] = lines_trim(b[j]);
}

/* Longest common subsequence from the end. Only the current and the last row of counts are kept. */
static void find_steps(struct alignment *work)
{
	int nb = work->nb;
	int *here = work->longest, *below = work->longest + nb + 1;

	for (int i = work->na - 1; i >= 0; i--) {
		unsigned char *step = work->step + (size_t)i * (size_t)nb;
		int *row = here;

		for (int j = nb - 1; j >= 0; j--) {
			if (equal(work->a[i], work->b[j])) {
				step[j] = STEP_MATCH;
				here[j] = below[j + 1] + 1;
			} else {
				step[j] = below[j] >= here[j + 1] ? STEP_SKIP_A : STEP_SKIP_B;
				here[j] = below[j] >= here[j + 1] ? below[j] : here[j + 1];
			}
		}
		here = below;
		below = row;
	}
}

/* Adds the unmatched lines a[from_a .. to_a) and b[from_b .. to_b): in pairs while there are lines of both, then the
 * rest. */
static void add_run(struct line_pair *out, int *nout, int from_a, int to_a, int from_b, int to_b)
{
	while (from_a < to_a || from_b < to_b) {
		struct line_pair pair = {-1, -1};

		if (from_a < to_a)
			pair.a = from_a++;
		if (from_b < to_b)
			pair.b = from_b++;
		out[(*nout)++] = pair;
	}
}

static void follow_steps(const struct alignment *work, struct line_pair *out, int *nout)
{
	int i = 0, j = 0, run_a = 0, run_b = 0;

	*nout = 0;
	while (i < work->na && j < work->nb) {
		enum step step = work->step[(size_t)i * (size_t)work->nb + (size_t)j];

		if (step == STEP_MATCH) {
			add_run(out, nout, run_a, i, run_b, j);
			out[(*nout)++] = (struct line_pair){i, j};
			run_a = i + 1;
			run_b = j + 1;
		}
		i += step != STEP_SKIP_B;
		j += step != STEP_SKIP_A;
	}
	add_run(out, nout, run_a, work->na, run_b, work->nb);
}

int lines_align(const char *const *a, int na, const char *const *b, int nb, struct line_pair *out, int *nout)
{
	struct alignment work;

	if (nb > 0 && na > MAX_CELLS / nb)
		return -1;
	lines_prepare(&work, a, na, b, nb);
	find_steps(&work);
	follow_steps(&work, out, nout);
	lines_release(&work);
	return 0;
}

bool lines_alike(const char *a, const char *b)
{
	return equal(lines_trim(a), lines_trim(b));
}
