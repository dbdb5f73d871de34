/* memory.c: memory that a loop makes and frees in its rounds, and what of its gain counts that it is made once. */
#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/trace/pays/phasing.h"

/* The text of the call's name; 0 if the recording has no such call. */
static uint32_t memory_call_name(const struct phasing *phasing, const struct replay_call *call)
{
	const struct pays_host *host = phasing->program->host;
	uint32_t thread = phasing->program->thread[call->thread];
	size_t i = late_first_call(host, thread, call->start);

	return i < host->ncalls && host->call[i].thread == thread && host->call[i].start == call->start
		       ? host->call[i].name
		       : 0;
}

/* Names beyond the room for them are left out. */
static void add_memory_calls(struct pays_memory *memory, uint32_t name, size_t count)
{
	size_t i = 0;

	while (i < memory->n && memory->call[i].name != name)
		i++;
	if (name == 0 || i == PAYS_MEMORY_CALLS)
		return;
	memory->call[i].name = name;
	memory->call[i].count += count;
	memory->n = i == memory->n ? i + 1 : memory->n;
}

void list_memory_calls(const struct phasing *phasing, struct pays_memory *memory)
{
	const struct replay_program *program = &phasing->program->program;

	for (size_t l = 0; l < phasing->nloops; l++) {
		const struct replay_loop *loop = &phasing->loop[l];

		if (!replay_loop_remakes(program, &phasing->orders, loop))
			continue;
		for (uint32_t turn = loop->first[0]; turn < loop->first[loop->rounds]; turn++) {
			const struct replay_call *call = phase_call(phasing, turn);

			if (call->freeing)
				add_memory_calls(memory, memory_call_name(phasing, call), 1);
		}
	}
}

void memory_join(struct pays_memory *into, const struct pays_memory *more)
{
	for (size_t i = 0; i < more->n; i++)
		add_memory_calls(into, more->call[i].name, more->call[i].count);
	into->gain += more->gain;
}

int memory_buffers(const struct pays_phase *phase)
{
	return phase->gain[PAYS_BUFFERS_LEAST] >= pays_least * phase->loop ? PAYS_BUFFERS_LEAST : PAYS_BUFFERS_MOST;
}

bool memory_matters(const struct pays_phase *phase)
{
	return phase->memory.n > 0 && phase->memory.gain > 0 &&
	       phase->memory.gain >= memory_least * phase->gain[memory_buffers(phase)];
}
