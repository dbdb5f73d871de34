/* coarse.c: finds what repeats where no two rounds are quite alike: as the calls are, and else with kernels, what lies
 * between ranges, or all but copies taken together. */
#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "util/alloc.h"

/* What is one token on a level: kernels behind each other; all from one range's begin to the next; all between copies,
 * and copies of one direction. */
enum coarse_level { COARSE_KERNELS, COARSE_MARKS, COARSE_COPIES, COARSE_LEVELS };

/* A repetition of so many rounds stands, whatever is around it, if so many of them are alike; one that was found on a
 * level has so many rounds at least. */
enum { STANDING_ROUNDS = 12, LEAST_COARSE = 6 };
static const double standing_part = 0.7;

/* What repeats exactly counts if it has this part of what a level finds. */
static const double exact_part = 0.85;

/* Tokens of a stretch on a level. */
struct coarse {
	struct replay_tokens tokens;
	uint32_t *token, *at; /* at: the place of its first among all tokens; and the end */
	uint16_t *weight;
	uint8_t *does;
	int8_t *cut;
	int32_t *stream;
};

struct repeat_list {
	struct replay_repeat *item;
	size_t n, room;
};

/* ---- tokens ---- */

enum { TAKEN_NONE, TAKEN_IN, TAKEN_OUT, TAKEN_REST };

/* What a token is on a level: those with equal numbers, behind each other, are one; TAKEN_NONE stays alone. */
static int taken_as(const struct replay_tokens *tokens, size_t i, enum coarse_level level)
{
	unsigned copies = tokens->does[i] & (1U << WORK_H2D | 1U << WORK_D2H);

	if (level == COARSE_KERNELS)
		return tokens->does[i] && !copies ? TAKEN_REST : TAKEN_NONE;
	if (level == COARSE_MARKS)
		return tokens->mark[i] ? TAKEN_NONE : TAKEN_REST;
	if (copies & 1U << WORK_H2D)
		return TAKEN_IN;
	return copies ? TAKEN_OUT : TAKEN_REST;
}

static bool begins_token(const struct replay_tokens *tokens, size_t i, size_t low, enum coarse_level level)
{
	int here = taken_as(tokens, i, level);

	if (i == low || here == TAKEN_NONE)
		return true;
	/* What follows a range's begin belongs to it. */
	return level != COARSE_MARKS && here != taken_as(tokens, i - 1, level);
}

static void coarse_begin(struct coarse *coarse, size_t room)
{
	*coarse = (struct coarse){.token = xcalloc(room + 1, sizeof(*coarse->token)),
		.at = xcalloc(room + 1, sizeof(*coarse->at)),
		.weight = xcalloc(room + 1, sizeof(*coarse->weight)),
		.does = xcalloc(room + 1, sizeof(*coarse->does)),
		.cut = xcalloc(room + 1, sizeof(*coarse->cut)),
		.stream = xcalloc(room + 1, sizeof(*coarse->stream))};
}

static void coarse_free(struct coarse *coarse)
{
	free(coarse->token);
	free(coarse->at);
	free(coarse->weight);
	free(coarse->does);
	free(coarse->cut);
	free(coarse->stream);
}

static void coarse_add(struct coarse *coarse, const struct replay_tokens *tokens, size_t i, enum coarse_level level)
{
	size_t n = coarse->tokens.n++;
	int taken = taken_as(tokens, i, level);

	coarse->token[n] = taken == TAKEN_NONE ? tokens->token[i] : (uint32_t)taken;
	coarse->at[n] = (uint32_t)i;
	coarse->cut[n] = tokens->cut[i];
	coarse->stream[n] = -1;
}

static void coarse_make(
	struct coarse *coarse, const struct replay_tokens *tokens, size_t low, size_t high, enum coarse_level level)
{
	coarse_begin(coarse, high - low);
	for (size_t i = low; i < high; i++) {
		size_t n;

		if (begins_token(tokens, i, low, level))
			coarse_add(coarse, tokens, i, level);
		n = coarse->tokens.n - 1;
		if (tokens->weight[i] > coarse->weight[n])
			coarse->weight[n] = tokens->weight[i];
		coarse->does[n] |= tokens->does[i];
		if (coarse->stream[n] < 0)
			coarse->stream[n] = tokens->stream[i];
	}
	coarse->at[coarse->tokens.n] = (uint32_t)high;
	coarse->tokens.token = coarse->token;
	coarse->tokens.weight = coarse->weight;
	coarse->tokens.does = coarse->does;
	coarse->tokens.cut = coarse->cut;
	coarse->tokens.stream = coarse->stream;
}

/* ---- repetitions ---- */

static void list_free(struct repeat_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->item[i].first);
	free(list->item);
	*list = (struct repeat_list){0};
}

static void list_add(struct repeat_list *list, struct replay_repeat repeat)
{
	xgrow(&list->item, list->n, &list->room, sizeof(*list->item));
	list->item[list->n++] = repeat;
}

static int by_length_of_round(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Which part of the rounds has as many tokens as most of them. */
static double part_alike(const struct replay_repeat *repeat)
{
	uint32_t *length = xcalloc(repeat->rounds + 1, sizeof(*length));
	size_t most = 0, from = 0;

	for (size_t r = 0; r < repeat->rounds; r++)
		length[r] = repeat->first[r + 1] - repeat->first[r];
	qsort(length, repeat->rounds, sizeof(*length), by_length_of_round);
	for (size_t r = 0; r < repeat->rounds; r++) {
		if (length[r] != length[from])
			from = r;
		if (r + 1 - from > most)
			most = r + 1 - from;
	}
	free(length);
	return (double)most / (double)repeat->rounds;
}

/* How much of what matters the rounds of a repetition have that are alike: 0 if in most nothing could run at once. */
static double weight_of_repeat(const struct replay_tokens *tokens, const struct replay_repeat *repeat)
{
	size_t could = 0;
	double sum = 0;

	for (size_t r = 0; r < repeat->rounds; r++) {
		unsigned does = 0;

		for (uint32_t i = repeat->first[r]; i < repeat->first[r + 1]; i++) {
			does |= tokens->does[i];
			sum += tokens->weight[i];
		}
		could += replay_could_overlap(does);
	}
	return could * 2 > repeat->rounds ? sum * part_alike(repeat) : 0;
}

static bool has_token(const struct replay_tokens *tokens, uint32_t from, uint32_t to, uint32_t token)
{
	while (from < to && tokens->token[from] != token)
		from++;
	return from < to;
}

/* Where the last round ends: before a token that no other round has. */
static uint32_t end_of_rounds(const struct replay_tokens *tokens, const struct replay_repeat *repeat)
{
	uint32_t last = repeat->first[repeat->rounds - 1], end = last;

	while (end < repeat->first[repeat->rounds] && has_token(tokens, repeat->first[0], last, tokens->token[end]))
		end++;
	return end > last ? end : last + 1;
}

/* What repeats in a stretch on a level; returns its weight. */
static double coarse_find(
	const struct replay_tokens *tokens, size_t low, size_t high, enum coarse_level level, struct repeat_list *found)
{
	struct coarse coarse;
	struct replay_repeat *repeats;
	size_t n;
	double sum = 0;

	coarse_make(&coarse, tokens, low, high, level);
	repeats = replay_repeats_exact(&coarse.tokens, 0, coarse.tokens.n, &n);
	for (size_t r = 0; r < n; r++) {
		double weight = repeats[r].rounds < LEAST_COARSE ? 0 : weight_of_repeat(&coarse.tokens, &repeats[r]);

		for (size_t i = 0; i <= repeats[r].rounds; i++)
			repeats[r].first[i] = coarse.at[repeats[r].first[i]];
		repeats[r].first[repeats[r].rounds] = end_of_rounds(tokens, &repeats[r]);
		if (weight > 0)
			list_add(found, repeats[r]);
		else
			free(repeats[r].first);
		sum += weight;
	}
	free(repeats);
	coarse_free(&coarse);
	return sum;
}

/* The level that finds most in a stretch, if that is clearly more than `exact`. */
static void find_coarse(
	const struct replay_tokens *tokens, size_t low, size_t high, double exact, struct repeat_list *out)
{
	double most = exact / exact_part;

	for (int level = 0; level < COARSE_LEVELS; level++) {
		struct repeat_list found = {0};
		double weight = coarse_find(tokens, low, high, (enum coarse_level)level, &found);

		if (weight * (level > 0 ? exact_part : 1) > most) {
			list_free(out);
			*out = found;
			most = weight;
		} else {
			list_free(&found);
		}
	}
}

static bool repeat_stands(const struct replay_repeat *repeat)
{
	return repeat->rounds >= STANDING_ROUNDS && part_alike(repeat) >= standing_part;
}

static bool meets_one(const struct replay_repeat *repeat, const struct repeat_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct replay_repeat *other = &list->item[i];

		if (repeat->first[0] < other->first[other->rounds] && other->first[0] < repeat->first[repeat->rounds])
			return true;
	}
	return false;
}

/* Takes the repetitions of a stretch: those that are exact, exact[0 .. n), or what a level finds in their place. */
static void take_stretch(const struct replay_tokens *tokens, size_t low, size_t high, struct replay_repeat *exact,
	size_t n, struct repeat_list *out)
{
	struct repeat_list coarse = {0};
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += weight_of_repeat(tokens, &exact[i]);
	find_coarse(tokens, low, high, sum, &coarse);
	for (size_t i = 0; i < n; i++) {
		if (meets_one(&exact[i], &coarse))
			free(exact[i].first);
		else
			list_add(out, exact[i]);
	}
	for (size_t i = 0; i < coarse.n; i++)
		list_add(out, coarse.item[i]);
	free(coarse.item);
}

static int by_first_round(const void *left, const void *right)
{
	const struct replay_repeat *a = left, *b = right;

	return (a->first[0] > b->first[0]) - (a->first[0] < b->first[0]);
}

struct replay_repeat *replay_repeats(const struct replay_tokens *tokens, size_t *count)
{
	size_t n, low = 0, from = 0;
	struct replay_repeat *exact = replay_repeats_exact(tokens, 0, tokens->n, &n);
	struct repeat_list out = {0};

	for (size_t i = 0; i <= n; i++) {
		if (i < n && !repeat_stands(&exact[i]))
			continue;
		take_stretch(
			tokens, low, i < n ? exact[i].first[0] : tokens->n, n ? exact + from : NULL, i - from, &out);
		if (i < n) {
			low = exact[i].first[exact[i].rounds];
			list_add(&out, exact[i]);
		}
		from = i + 1;
	}
	free(exact);
	if (out.n > 1)
		qsort(out.item, out.n, sizeof(*out.item), by_first_round);
	*count = out.n;
	return out.item;
}
