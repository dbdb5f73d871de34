/* repeat.c: finds what repeats in a sequence of tokens: the smallest period that holds nearly all the time. */
#include <stdlib.h>
#include <string.h>

#include "analyze/replay/replay.h"
#include "util/alloc.h"

/* How many periods are tried, and the fewest rounds of a repetition. */
enum { PERIODS = 48, LEAST_ROUNDS = 3 };

/* Parts alike with something behind the last are one round, up to so many parts. */
enum { MOST_PARTS = 8 };

/* So many rounds in a row that go on for longer are another loop. */
enum { MOST_LONGER = 3 };

/* A loop in a round has so many rounds at least; loops in loops are followed so deep. */
enum { LEAST_INSIDE = 4, DEEPEST = 3 };

/* A round is made of loops if they have this part of its weight. */
static const double inside_part = 0.6;

/* A period counts if so much of what it spans is regular, and if it spans so much of what the best one does. */
static const double regular_part = 0.7, best_part = 0.85;

/* A repetition while it is looked at. */
struct found {
	uint32_t *first; /* rounds, and the end */
	size_t rounds, room;
	size_t period;
	double regular, all; /* weights: of rounds like the first one, of all */
	size_t irregular;    /* rounds unlike it */
};

struct period {
	size_t length;
	double weight;
};

/* ---- periods that are worth a try ---- */

struct distances {
	struct period *item;
	size_t slots, n;
};

static void distance_add(struct distances *distances, size_t length)
{
	size_t slot;

	if (distances->n * 2 > distances->slots)
		return;
	for (slot = length * 0x9E3779B1U % distances->slots; distances->item[slot].length;
		slot = (slot + 1) % distances->slots) {
		if (distances->item[slot].length == length)
			break;
	}
	distances->n += distances->item[slot].length == 0;
	distances->item[slot].length = length;
	distances->item[slot].weight += (double)length;
}

static uint64_t hash_grams(const uint32_t *token, size_t grams)
{
	uint64_t hash = grams;

	for (size_t i = 0; i < grams; i++)
		hash = (hash ^ token[i]) * 0x9E3779B97F4A7C15U;
	return hash ^ hash >> 31;
}

/* From each run of `grams` tokens to the next equal one. */
static void add_distances(struct distances *distances, const uint32_t *token, size_t n, size_t grams)
{
	size_t slots = 1;
	struct seen {
		uint64_t hash;
		size_t at;
	} * seen;

	while (slots < 2 * n)
		slots *= 2;
	seen = xcalloc(slots, sizeof(*seen));
	for (size_t i = 0; i + grams <= n; i++) {
		uint64_t hash = hash_grams(token + i, grams);
		size_t slot = hash & (slots - 1);

		while (seen[slot].at && seen[slot].hash != hash)
			slot = (slot + 1) & (slots - 1);
		if (seen[slot].at)
			distance_add(distances, i + 1 - seen[slot].at);
		seen[slot] = (struct seen){hash, i + 1};
	}
	free(seen);
}

static int by_weight(const void *left, const void *right)
{
	const struct period *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->length > b->length) - (a->length < b->length);
}

static int repeat_by_length(const void *left, const void *right)
{
	const struct period *a = left, *b = right;

	return (a->length > b->length) - (a->length < b->length);
}

/* The periods that distances suggest, the shortest first, into out[PERIODS]. */
static size_t suggest_periods(const uint32_t *token, size_t n, struct period *out)
{
	enum { SLOTS_LEAST = 16, SLOTS_MOST = 4096 };
	struct distances distances = {.slots = SLOTS_LEAST};
	size_t kept = 0;

	/* Short sequences are looked at in great numbers. No distance is longer than the sequence. */
	while (distances.slots < SLOTS_MOST && distances.slots < 2 * n)
		distances.slots *= 2;
	distances.item = xcalloc(distances.slots, sizeof(*distances.item));
	for (size_t grams = 1; grams <= 8; grams *= 2)
		add_distances(&distances, token, n, grams);
	for (size_t slot = 0; slot < distances.slots; slot++) {
		if (distances.item[slot].length)
			distances.item[kept++] = distances.item[slot];
	}
	qsort(distances.item, kept, sizeof(*distances.item), by_weight);
	kept = kept < PERIODS ? kept : PERIODS;
	memcpy(out, distances.item, kept * sizeof(*out));
	qsort(out, kept, sizeof(*out), repeat_by_length);
	free(distances.item);
	return kept;
}

/* ---- one period ---- */

/* The longest stretch in which each token equals the one a period later: [*from, *to) with both. */
static void longest_run(const uint32_t *token, size_t low, size_t high, size_t period, size_t *from, size_t *to)
{
	size_t start = low;

	*from = *to = low;
	for (size_t i = low; i + period <= high; i++) {
		if (i + period < high && token[i] == token[i + period])
			continue;
		if (i > start && i + period - start > *to - *from) {
			*from = start;
			*to = i + period;
		}
		start = i + 1;
	}
}

/* Where a round begins in a run: what is left over when whole rounds are taken may stand before or behind. */
static size_t best_cut(const struct replay_tokens *tokens, size_t from, size_t to, size_t period)
{
	size_t left = (to - from) % period, best = from;

	for (size_t i = from; i <= from + left; i++) {
		if (tokens->cut[i] > tokens->cut[best])
			best = i;
	}
	return best;
}

static bool is_round(const struct replay_tokens *tokens, size_t at, size_t high, size_t model, size_t period)
{
	return at + period <= high &&
	       memcmp(tokens->token + at, tokens->token + model, period * sizeof(*tokens->token)) == 0;
}

static void found_add(struct found *found, size_t at)
{
	xgrow(&found->first, found->rounds, &found->room, sizeof(*found->first));
	found->first[found->rounds++] = (uint32_t)at;
}

/* The next round like the model after `at`, if it is near; else `high`. */
static size_t next_round(const struct replay_tokens *tokens, size_t at, size_t high, size_t model, size_t period)
{
	size_t last = at + 2 * period + 8;

	for (; at < high && at <= last; at++) {
		if (is_round(tokens, at, high, model, period))
			return at;
	}
	return high;
}

/* How many tokens from `at` on come in the model in the same order: a round that leaves out something. */
static size_t shorter_round(const struct replay_tokens *tokens, size_t at, size_t high, size_t model, size_t period)
{
	size_t n = 0;

	for (size_t i = 0; i < period && at + n < high; i++)
		n += tokens->token[at + n] == tokens->token[model + i];
	return n;
}

/* Rounds from `model` on: like it; or else what lies before the next one like it, as a round of its own if it is more
 * than half of one, else as a part of the one before. Where one round after the other goes on for longer than the
 * model, another loop has begun. Returns the end. */
static size_t rounds_forward(
	const struct replay_tokens *tokens, size_t high, size_t model, size_t period, struct found *found)
{
	size_t at = model, longer = 0, before = 0;

	for (;;) {
		size_t next, here = found->rounds;

		for (; is_round(tokens, at, high, model, period); at += period)
			found_add(found, at);
		next = next_round(tokens, at, high, model, period);
		longer = found->rounds <= here + 1 && next - at > period / 2 ? longer + 1 : 0;
		if (longer == 1)
			before = here;
		if (next == high || longer == MOST_LONGER)
			break;
		if (shorter_round(tokens, at, next, model, period) * 2 > period)
			found_add(found, at);
		at = next;
	}
	if (longer == MOST_LONGER) {
		at = found->first[before];
		found->rounds = before;
	}
	return at;
}

/* The same backwards; returns the rounds in reverse order. */
static void rounds_backward(
	const struct replay_tokens *tokens, size_t low, size_t model, size_t period, struct found *found)
{
	size_t at = model;

	for (;;) {
		size_t next = at, most = 2 * period + 8;

		while (next > low && at - next < most + period) {
			next--;
			if (at - next >= period && is_round(tokens, next, at, model, period))
				break;
		}
		if (at - next < period || !is_round(tokens, next, at, model, period))
			return;
		found_add(found, next);
		at = next;
	}
}

static double weight_of(const struct replay_tokens *tokens, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += tokens->weight[i];
	return sum;
}

/* The last round may leave out something: what comes then belongs to it. */
static size_t end_of_last(
	const struct replay_tokens *tokens, size_t at, size_t high, size_t model, size_t period, struct found *found)
{
	size_t more = shorter_round(tokens, at, high, model, period);

	if (more * 2 > period && weight_of(tokens, at, at + more) * 2 >= weight_of(tokens, model, model + period)) {
		found_add(found, at);
		at += more;
	}
	return at;
}

static size_t count_work(const struct replay_tokens *tokens, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += tokens->does[i] != 0;
	return n;
}

static void found_weigh(const struct replay_tokens *tokens, size_t model, struct found *found)
{
	for (size_t r = 0; r < found->rounds; r++) {
		size_t from = found->first[r], to = found->first[r + 1];
		double weight = weight_of(tokens, from, to);

		found->all += weight;
		/* One that goes on with far more work only begins like it. */
		if (to - from >= found->period && 2 * count_work(tokens, from + found->period, to) <= found->period &&
			is_round(tokens, from, to, model, found->period))
			found->regular += weight_of(tokens, from, from + found->period);
		found->irregular += to - from != found->period;
	}
}

static void try_period(const struct replay_tokens *tokens, size_t low, size_t high, size_t period, struct found *found)
{
	struct found before = {0};
	size_t from, to, model, end;

	*found = (struct found){.period = period};
	longest_run(tokens->token, low, high, period, &from, &to);
	if (to - from < 2 * period)
		return;
	model = best_cut(tokens, from, to, period);
	rounds_backward(tokens, low, model, period, &before);
	for (size_t r = before.rounds; r-- > 0;)
		found_add(found, before.first[r]);
	free(before.first);
	end = rounds_forward(tokens, high, model, period, found);
	end = end_of_last(tokens, end, high, model, period, found);
	found_add(found, end);
	found->rounds--;
	found_weigh(tokens, model, found);
}

/* The stream of a round's first work; -1 for none. */
static int32_t repeat_stream(const struct replay_tokens *tokens, const struct found *found, size_t round)
{
	for (size_t i = found->first[round]; i < found->first[round + 1]; i++) {
		if (tokens->stream[i] >= 0)
			return tokens->stream[i];
	}
	return -1;
}

/* In how many streams the rounds are put. */
static size_t streams_of_rounds(const struct replay_tokens *tokens, const struct found *found)
{
	int32_t seen[64];
	size_t n = 0;

	for (size_t r = 0; r < found->rounds && n < 64; r++) {
		int32_t stream = repeat_stream(tokens, found, r);
		size_t i = 0;

		while (i < n && seen[i] != stream)
			i++;
		if (i == n)
			seen[n++] = stream;
	}
	return n;
}

/* Whether rounds in groups of so many have a stream each: then the group is the round. */
static bool are_parts_of_group(const struct replay_tokens *tokens, const struct found *found, size_t groups)
{
	size_t streams = streams_of_rounds(tokens, found);

	return streams > 1 && 2 * found->rounds < 3 * groups * streams;
}

static bool is_usable(const struct replay_tokens *tokens, const struct found *found)
{
	return found->rounds >= LEAST_ROUNDS && found->regular >= regular_part * found->all &&
	       (found->irregular < 2 || !are_parts_of_group(tokens, found, found->irregular));
}

static unsigned work_of_tokens(const struct replay_tokens *tokens, size_t from, size_t to)
{
	unsigned does = 0;

	for (size_t i = from; i < to; i++)
		does |= tokens->does[i];
	return does;
}

/* Where the parts of a larger round stand behind each other, such as the batches whose gradients are added up before a
 * step: how long that round is. Each n-th part goes on with the same kernels. 0 if it is not so. */
static size_t length_of_parts(const struct replay_tokens *tokens, const struct found *found)
{
	size_t parts = 0, more = 0, seen = 0, last = 0;

	for (size_t r = 0; r + 1 < found->rounds; r++) {
		size_t length = found->first[r + 1] - found->first[r];

		if (length == found->period)
			continue;
		if (length < found->period || (seen > 0 && length - found->period != more) ||
			(seen > 1 && r - last != parts) ||
			!(work_of_tokens(tokens, found->first[r] + found->period, found->first[r + 1]) &
				1U << WORK_KERNEL))
			return 0;
		more = length - found->period;
		parts = r - last;
		last = r;
		seen++;
	}
	return seen >= LEAST_ROUNDS && parts > 1 && parts <= MOST_PARTS ? parts * found->period + more : 0;
}

static struct found best_of(const struct replay_tokens *tokens, size_t low, size_t high, int depth);

/* The weight of the loops in tokens [low, high). */
static double weight_of_loops(const struct replay_tokens *tokens, size_t low, size_t high, int depth)
{
	struct found found = {0};
	unsigned does = 0;
	double sum = 0;

	if (high - low >= LEAST_INSIDE && depth < DEEPEST)
		found = best_of(tokens, low, high, depth + 1);
	if (found.rounds > 0) {
		for (size_t i = found.first[0]; i < found.first[1]; i++)
			does |= tokens->does[i];
		if (found.rounds >= LEAST_INSIDE && replay_could_overlap(does) &&
			!are_parts_of_group(tokens, &found, 1))
			sum = weight_of(tokens, found.first[0], found.first[found.rounds]);
		sum += weight_of_loops(tokens, low, found.first[0], depth + 1) +
		       weight_of_loops(tokens, found.first[found.rounds], high, depth + 1);
	}
	free(found.first);
	return sum;
}

/* Whether a round is made of loops itself, such as an epoch of steps: these are what is looked for. */
static bool holds_loops(const struct replay_tokens *tokens, const struct found *found, int depth)
{
	size_t middle = found->rounds / 2, low = found->first[middle], high = found->first[middle + 1];

	return weight_of_loops(tokens, low, high, depth) >= inside_part * weight_of(tokens, low, high);
}

/* The one of which this one's rounds are parts, or itself. */
static size_t whole_round(const struct replay_tokens *tokens, const struct found *found, size_t n, size_t chosen)
{
	size_t length = length_of_parts(tokens, &found[chosen]);

	for (size_t i = 0; i < n && length > 0; i++) {
		if (found[i].period == length && is_usable(tokens, &found[i]))
			return i;
	}
	return chosen;
}

/* The shortest period that has nearly as much as the best; n if there is none. */
static size_t shortest_period(const struct replay_tokens *tokens, const struct found *found, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_usable(tokens, &found[i]) && found[i].regular > most)
			most = found[i].regular;
	}
	for (size_t i = 0; i < n; i++) {
		if (is_usable(tokens, &found[i]) && found[i].regular >= best_part * most)
			return i;
	}
	return n;
}

/* The best repetition of a stretch; no rounds if there is none. */
static struct found best_of(const struct replay_tokens *tokens, size_t low, size_t high, int depth)
{
	struct period period[PERIODS];
	size_t n = suggest_periods(tokens->token + low, high - low, period), chosen;
	struct found *found = xcalloc(n + 1, sizeof(*found)), best = {0};

	for (size_t i = 0; i < n; i++)
		try_period(tokens, low, high, period[i].length, &found[i]);
	while ((chosen = shortest_period(tokens, found, n)) < n && holds_loops(tokens, &found[chosen], depth))
		found[chosen].rounds = 0;
	if (chosen < n)
		chosen = whole_round(tokens, found, n, chosen);
	for (size_t i = 0; i < n; i++) {
		if (i == chosen)
			best = found[i];
		else
			free(found[i].first);
	}
	free(found);
	return best;
}

struct repeats {
	struct replay_repeat *item;
	size_t n, room;
};

/* The best repetition, and those before and behind it. */
static void find_repeats(
	const struct replay_tokens *tokens, size_t low, size_t high, struct repeats *repeats, int depth)
{
	struct found found = {0};

	if (high - low >= LEAST_ROUNDS && depth < 32)
		found = best_of(tokens, low, high, 0);
	if (found.rounds == 0) {
		free(found.first);
		return;
	}
	find_repeats(tokens, low, found.first[0], repeats, depth + 1);
	xgrow(&repeats->item, repeats->n, &repeats->room, sizeof(*repeats->item));
	repeats->item[repeats->n++] = (struct replay_repeat){found.rounds, found.first};
	find_repeats(tokens, found.first[found.rounds], high, repeats, depth + 1);
}

struct replay_repeat *replay_repeats_exact(const struct replay_tokens *tokens, size_t low, size_t high, size_t *count)
{
	struct repeats repeats = {0};

	find_repeats(tokens, low, high, &repeats, 0);
	*count = repeats.n;
	return repeats.item;
}
