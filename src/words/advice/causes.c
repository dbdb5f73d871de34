/* causes.c: why more tiles in flight would make a kernel faster, or would not. */
#include "words/advice/kernel.h"

#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* What a cause is called as a part of a gain, as a part of a loss, and where it keeps more stages from paying. "%s" is
 * its time of a launch. The ids are those of docs/advise.md. */
static const struct {
	const char *id, *gain, *loss, *not ;
} phrases[] = {
	{"memory-latency-hidden", "more tiles ahead hide loads that blocks wait for (%s of a launch)",
		"fewer tiles ahead hide less", "more tiles ahead would hide only %s of a launch"},
	{"shared-memory-queue", "asynchronous copies relieve L1 cache and shared memory (%s of a launch)",
		"copies would load shared memory more", "L1 cache and shared memory are at their limit"},
	{"narrow-copies", "narrow copies cost less than stores do now", "copies would be narrower than loads are now",
		"copies would be narrower than loads are now"},
	{"occupancy", "more blocks fit on an SM (%s of a launch)", "fewer blocks would fit on an SM",
		"fewer blocks would fit on an SM"},
	{"bandwidth-bound", "memory's bandwidth bounds the gain", NULL, "memory's bandwidth is at its limit"},
	{"pipe-bound", "pipes or schedulers bound the gain", NULL, "pipes or schedulers of the SM are at their limit"},
	{"latency-hidden-already", "blocks hardly wait for tiles", NULL, "blocks hardly wait for their tiles"},
	{"few-rounds", "a block has few rounds", NULL, "a block has too few rounds"},
	{"no-room", "no other number of stages fits", NULL, "no other number of stages fits"},
	{"no-loop", "it has no loop over tiles", NULL, "it has no loop that could be pipelined"},
};

enum { PHRASES = sizeof(phrases) / sizeof(phrases[0]) };

/* PHRASES if the table lacks it. */
static size_t phrase_of(const json_t *cause)
{
	size_t i = 0;

	while (i < PHRASES && strcmp(phrases[i].id, tree_text(cause, "id")) != 0)
		i++;
	return i;
}

/* Whether it is told of as a part of the gain, and not as a wall. */
static bool is_part_of_gain(const json_t *cause)
{
	return phrase_of(cause) < PHRASES && phrases[phrase_of(cause)].loss != NULL;
}

const json_t *advice_first_cause(const json_t *causes, bool pays)
{
	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);

		if (pays ? is_part_of_gain(cause) && tree_real(cause, "ns") > 0 : !is_part_of_gain(cause))
			return cause;
	}
	/* A gain that something takes away again. */
	for (size_t i = 0; i < json_array_size(causes) && !pays; i++)
		if (tree_real(json_array_get(causes, i), "ns") < 0)
			return json_array_get(causes, i);
	return json_array_get(causes, 0);
}

/* An id that the table lacks, as words. */
static void words_of_id(const char *id, char *text, size_t size)
{
	clip_print(text, size, "%s", id);
	for (; *text; text++)
		if (*text == '-')
			*text = ' ';
}

/* With the time for "%s"; without it where there is none. */
static void print_phrase(const char *phrase, double ns, char *text, size_t size)
{
	const char *place = strstr(phrase, "%s"), *open = place ? strstr(phrase, " (") : NULL;
	char time[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), ns);
	if (!place)
		clip_print(text, size, "%s", phrase);
	else if (ns > 0 || !open) /* a phrase without parentheses needs some time */
		clip_print(text, size, "%.*s%s%s", (int)(place - phrase), phrase, ns > 0 ? time : "little", place + 2);
	else
		clip_print(text, size, "%.*s%s", (int)(open - phrase), phrase,
			strchr(open, ')') ? strchr(open, ')') + 1 : "");
}

void advice_cause_words(const json_t *cause, bool pays, char *text, size_t size)
{
	size_t i = phrase_of(cause);
	double ns = tree_real(cause, "ns");

	if (i == PHRASES)
		words_of_id(tree_text(cause, "id"), text, size);
	else if (ns < 0 && phrases[i].loss)
		print_phrase(phrases[i].loss, -ns, text, size);
	else
		print_phrase(pays ? phrases[i].gain : phrases[i].not, ns, text, size);
}
