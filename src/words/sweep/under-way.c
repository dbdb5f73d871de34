/* under-way.c: see under-way.h. */
#include "words/sweep/under-way.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { UNDER_WAY_SIZE = 1024 };

/* What a sweep's curves say together. */
struct curves {
	size_t n, shown;  /* curves, and those that show from where on more bring nothing */
	double low, high; /* bytes from where on: of the first curve to show it, and of the last */
	double least;     /* bytes at the point with least under way */
	double most;      /* bytes up to which a curve that does not show it was measured */
};

static struct curves curves_of(const json_t *under_way)
{
	const json_t *list = json_object_get(under_way, "curves");
	struct curves all = {json_array_size(list), 0, INFINITY, -INFINITY, INFINITY, -INFINITY};

	for (size_t i = 0; i < all.n; i++) {
		const json_t *curve = json_array_get(list, i);
		double from = tree_real(curve, "from_bytes");

		all.least = fmin(all.least, tree_real(curve, "least_bytes"));
		if (isnan(from)) {
			all.most = fmax(all.most, tree_real(curve, "most_bytes"));
			continue;
		}
		all.shown++;
		all.low = fmin(all.low, from);
		all.high = fmax(all.high, from);
	}
	return all;
}

/* A lower bound: a busy memory answers later. Where the points load differently, they need from the one number to the
 * other. */
static void predicted_words(const json_t *under_way, char *text, size_t size)
{
	char low[FORMAT_SIZE], high[FORMAT_SIZE];

	format_bytes(low, sizeof(low), tree_real(under_way, "needed_low_bytes"));
	format_bytes(high, sizeof(high), tree_real(under_way, "needed_high_bytes"));
	clip_append(text, size, "Predicted: at least %s", low);
	if (strcmp(low, high) != 0)
		clip_append(text, size, " to %s", high);
	clip_append(text, size, " must be under way on an SM, if memory answers as when it is idle.");
}

/* Where each curve has its own number, they are in a sentence of their own. */
static void shown_words(const json_t *sweep, const struct curves *all, char *text, size_t size)
{
	char from[FORMAT_SIZE], to[FORMAT_SIZE];

	clip_append(text, size, " Measured: the gain of more bytes falls below %g %%", 100 * tree_real(sweep, "band"));
	if (all->low < all->high)
		clip_append(text, size, ". Depending on %s, that is", tree_text(json_object_get(sweep, "y"), "param"));
	format_bytes(from, sizeof(from), all->low);
	format_bytes(to, sizeof(to), all->high);
	clip_append(text, size, " from %s%s", from, all->low == all->least ? " (the least that was measured)" : "");
	if (all->low < all->high)
		clip_append(text, size, " to %s", to);
	clip_append(text, size, " on.");
}

/* The curves that end before more bring nothing. */
static void not_shown_words(const json_t *sweep, const struct curves *all, char *text, size_t size)
{
	char most[FORMAT_SIZE];

	if (all->shown > 0) {
		clip_append(text, size, " At %zu of %zu values of %s it does not.", all->n - all->shown, all->n,
			tree_text(json_object_get(sweep, "y"), "param"));
		return;
	}
	clip_append(text, size, " Measured: up to %s, the most that was measured, more bytes still gain %g %% or more.",
		format_bytes(most, sizeof(most), all->most), 100 * tree_real(sweep, "band"));
}

void under_way_words(json_t *sweep)
{
	json_t *under_way = json_object_get(sweep, "under_way");
	const struct curves all = curves_of(under_way);
	char text[UNDER_WAY_SIZE] = "";

	if (!json_is_object(under_way))
		return;
	predicted_words(under_way, text, sizeof(text));
	if (all.shown > 0)
		shown_words(sweep, &all, text, sizeof(text));
	if (all.shown < all.n)
		not_shown_words(sweep, &all, text, sizeof(text));
	put_json(under_way, "text", text_json(text));
}
