/* causes.c: why more tiles in flight would make a kernel faster, or would not. */
#include "words/advice/kernel.h"

#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* What a cause is called where more stages pay, and where they do not. "%s" is its time of a launch, where it has one.
 * The list of ids is that of docs/causes.md. */
static const struct {
	const char *id, *pays, *not ;
} phrases[] = {
	{"memory-latency-hidden", "more tiles in flight would hide memory waits (%s of a launch)",
		"memory waits are hidden already"},
	{"bandwidth-bound", "memory's bandwidth bounds what more tiles can win",
		"memory's bandwidth is used up: more tiles wait in the same queue"},
	{"occupancy", "it keeps its blocks on each SM with more stages",
		"other warps of the SM hide the waits already"},
	{"instructions", "instructions bound what more tiles can win",
		"instructions take the time (%s of a launch), not waits"},
	{"shared-memory-queue", "the queue of shared memory bounds what more tiles can win",
		"the queue of shared memory is full"},
	{"barrier-wait", "fewer warps would wait at barriers", "warps wait at barriers, not for memory"},
	{"spills", "registers are spilled to local memory", "more stages would spill registers"},
	{"waves", "the last wave of blocks bounds what more tiles can win", "the last wave of blocks takes the time"},
	{"no-room", "more stages leave no room for other blocks", "more stages do not fit into shared memory"},
	{"no-loop", "it has no loop over tiles", "it has no loop over tiles"},
	{"few-rounds", "its loop has few rounds", "its loop has too few rounds to fill more stages"},
	{"tensor-pipe", "the tensor cores bound what more tiles can win", "the tensor cores are busy all the time"},
	{"fma-pipe", "the FMA units bound what more tiles can win", "the FMA units are busy all the time"},
	{"unexplained", "what takes the time is not explained", "what takes the time is not explained"},
};

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
	else if (ns > 0)
		clip_print(text, size, "%.*s%s%s", (int)(place - phrase), phrase, time, place + 2);
	else
		clip_print(text, size, "%.*s%s", (int)(open - phrase), phrase,
			strchr(open, ')') ? strchr(open, ')') + 1 : "");
}

void advice_cause_words(const json_t *cause, bool pays, char *text, size_t size)
{
	const char *id = tree_text(cause, "id");

	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
		if (strcmp(phrases[i].id, id) == 0) {
			print_phrase(pays ? phrases[i].pays : phrases[i].not, tree_real(cause, "ns"), text, size);
			return;
		}
	words_of_id(id, text, size);
}
