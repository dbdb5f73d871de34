/* counter-name.c: see counter-name.h. */
#include "words/counter-name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"

/* Where the title says no more than the plain words, they stand alone. */
static const struct counter_name {
	const char *key, *plain;
	bool alone;
} names[] = {
	{"stall_barrier", "barrier wait", true},
	{"stall_long_scoreboard", "memory wait", false},
	{"stall_short_scoreboard", "shared-memory wait", false},
	{"stall_mio_throttle", "shared-memory queue", false},
	{"stall_lg_throttle", "queue of loads", false},
	{"stall_math_pipe_throttle", "arithmetic queue", false},
	{"stall_not_selected", "another warp went first", false},
	{"stall_wait", "fixed pause of an instruction", false},
	{"stall_no_instruction", "instruction fetch", false},
	{"stall_membar", "memory fence", false},
	{"stall_drain", "stores on their way", false},
	{"throughput_sm", "busiest unit of an SM", true},
	{"throughput_l1", "throughput of L1 and shared memory", true},
	{"throughput_l2", "throughput of the L2 cache", true},
	{"throughput_dram", "throughput of device memory", true},
	{"smem_wavefronts", "turns of shared memory", false},
};

static const struct counter_name *find_name(const char *key)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].key, key) == 0)
			return &names[i];
	}
	return NULL;
}

void counter_name_words(json_t *moved)
{
	json_t *entry;
	size_t i;

	json_array_foreach(moved, i, entry)
	{
		const struct counter_name *name = find_name(tree_text(entry, "key"));
		const char *title = tree_text(entry, tree_has(entry, "title") ? "title" : "key");
		char text[256];

		if (!name)
			clip_print(text, sizeof(text), "%.200s", title);
		else if (name->alone)
			clip_print(text, sizeof(text), "%s", name->plain);
		else
			clip_print(text, sizeof(text), "%s (%.200s)", name->plain, title);
		put_json(entry, "text", text_json(text));
	}
}
