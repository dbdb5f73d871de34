/* waits.c: a wait whose number is chosen as the kernel runs, by a switch: see rounds.h. */
#include "analyze/asm/rounds.h"

#include <stdlib.h>

#include "util/alloc.h"

/* More waits in a loop are not looked at one by one. */
enum { WAITS_MOST = 64 };

/* ---- which waits are passed over ---- */

static bool is_of_turn(const struct asm_rounds *rounds, size_t place)
{
	const int loop = rounds->graph->loop_of[place];

	return loop != ASM_NO_LOOP && rounds->within[loop];
}

/* Whether a turn can come round without `place`. */
static bool can_pass(const struct asm_rounds *rounds, size_t place)
{
	const struct asm_graph *graph = rounds->graph;
	const size_t header = graph->loops[rounds->loop].header;
	bool *seen = xcalloc(graph->n + 1, sizeof(*seen)), passes = false;
	size_t *next = xcalloc(graph->n + 1, sizeof(*next)), n = 0;

	if (place != header)
		next[n++] = header;
	while (n > 0 && !passes) {
		const size_t at = next[--n];

		for (size_t e = graph->edges_from[at]; e < graph->edges_from[at + 1]; e++) {
			const size_t to = graph->edges[e];

			passes |= to == header;
			if (seen[to] || to == place || !is_of_turn(rounds, to))
				continue;
			seen[to] = true;
			next[n++] = to;
		}
	}
	free(seen);
	free(next);
	return passes;
}

/* ---- which of them were met ---- */

/* Samples of the wait and of what follows it, up to a jump or where jumps lead to. */
static uint64_t samples_at(const struct asm_rounds *rounds, size_t place)
{
	const struct asm_graph *graph = rounds->graph;
	uint64_t samples = 0;

	for (size_t i = place; i < graph->n && (i == place || !graph->list[i].label); i++) {
		samples += graph->list[i].samples;
		if (graph->ops[i].kind == ASM_BRANCH)
			break;
	}
	return samples;
}

static void drop_event(struct asm_rounds *rounds, size_t i)
{
	rounds->kinds[rounds->events[i].kind]--;
	rounds->inner[rounds->events[i].kind] -= !rounds->events[i].is_own;
	rounds->n--;
	for (; i < rounds->n; i++)
		rounds->events[i] = rounds->events[i + 1];
}

/* Numbers of the waits that can be passed over, or of those that samples were found at. */
struct numbers {
	size_t n;
	bool differ;
	int number;
};

static void add_number(struct numbers *numbers, int number)
{
	numbers->differ |= numbers->n > 0 && number != numbers->number;
	numbers->number = number;
	numbers->n++;
}

void asm_settle_waits(struct asm_rounds *rounds)
{
	struct numbers all = {0}, met = {0};
	bool *is_choice;

	if (rounds->loop == ASM_NO_LOOP || rounds->kinds[ASM_WAIT] < 2)
		return;
	if (rounds->kinds[ASM_WAIT] > WAITS_MOST) {
		rounds->waits = ASM_WAITS_VARY;
		return;
	}
	is_choice = xcalloc(rounds->graph->n + 1, sizeof(*is_choice));
	for (size_t i = 0; i < rounds->n; i++) {
		const size_t place = rounds->events[i].place;

		if (rounds->events[i].kind != ASM_WAIT || !can_pass(rounds, place))
			continue;
		is_choice[place] = true;
		add_number(&all, rounds->graph->ops[place].number);
		if (samples_at(rounds, place) > 0)
			add_number(&met, rounds->graph->ops[place].number);
	}
	if (all.n > 1 && all.differ)
		rounds->waits = met.n > 0 && !met.differ ? ASM_WAITS_MET : ASM_WAITS_VARY;
	for (size_t i = rounds->n; rounds->waits == ASM_WAITS_MET && i-- > 0;)
		if (is_choice[rounds->events[i].place] && samples_at(rounds, rounds->events[i].place) == 0)
			drop_event(rounds, i);
	free(is_choice);
}
