/* session-progress.c: calls the callbacks of record_run()'s caller. See session.h. */
#include <stdlib.h>

#include "record/session/session.h"
#include "record/worker/result.h"
#include "record/worker/sweep.h"

void session_tell_begin(struct session *s, const struct pass_run *run)
{
	s->told = -1;
	if (s->progress && s->progress->begin)
		s->progress->begin(s->progress->user, run->family->name, pass_name(run->pass), s->nruns - 1, s->total);
}

/* Tells how far the worker is; its result file says so. If that cannot be read now, the next call tells it. */
static void tell_step(struct session *s)
{
	struct result result;
	struct error ignored;
	char label[SWEEP_LABEL];
	int done, total;

	if (!s->progress || !s->progress->step || s->nruns == 0 ||
		result_read(s->runs[s->nruns - 1].spool, &result, &ignored) < 0)
		return;
	if (result_last_step(&result, label, sizeof(label), &done, &total) && done != s->told) {
		s->told = done;
		s->progress->step(s->progress->user, label, done, total);
	}
	result_free(&result);
}

void session_tell_end(const struct session *s, const struct pass_run *run)
{
	if (s->progress && s->progress->end)
		s->progress->end(s->progress->user, run->family->name, pass_name(run->pass), run->status,
			run->reason.text[0] == '\0' ? NULL : run->reason.text, (double)(run->end - run->start) / 1e9);
}

void session_tell_note(const struct session *s, const char *text)
{
	if (s->progress && s->progress->note)
		s->progress->note(s->progress->user, text);
}

bool session_interrupted(const struct session *s)
{
	return s->progress && s->progress->interrupted && s->progress->interrupted(s->progress->user);
}

/* Called again and again while a worker runs. */
bool session_watch(void *user)
{
	tell_step(user);
	return session_interrupted(user);
}
