/* heard-steps.c: steps of a program whose GPU is sampled, as NVTX tells them. The outermost ranges of a thread are
 * steps, as in a traced run. Of start/end ranges nobody knows at their begin whether they will end inside another one:
 * most of them do not, so each is a step. A mark is a number of its own. */
#include <pthread.h>
#include <stdlib.h>

#include "contrast/count/count.h"
#include "contrast/count/inject.h"
#include "contrast/pm/sampler.h"
#include "contrast/range/heard.h"

enum { STEPS_OPEN_MOST = 64 };

static struct {
	pthread_mutex_t lock;
	struct {
		pthread_t thread;
		int64_t mark;
	} open[STEPS_OPEN_MOST];
	size_t n;
	uint64_t steps; /* that have begun */
	int64_t last;   /* mark */
} heard = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct beginning_step {
	uint64_t number;
	int64_t mark;
};

static bool heard_step_is_wanted(void)
{
	const char *folder = getenv(COUNT_FOLDER);

	return folder && *folder != '\0';
}

/* False for a range inside another one of its thread. The lock is held. */
static bool note_step(struct beginning_step *step, bool nests)
{
	pthread_t self = pthread_self();

	for (size_t i = 0; nests && i < heard.n; i++)
		if (pthread_equal(heard.open[i].thread, self))
			return false;
	step->number = heard.steps++;
	step->mark = ++heard.last;
	if (heard.n == STEPS_OPEN_MOST)
		return false;
	heard.open[heard.n].thread = self;
	heard.open[heard.n++].mark = step->mark;
	return true;
}

static void act_on_begin(void *user, bool capturing)
{
	const struct beginning_step *step = user;

	sampler_step_begins(step->number, step->mark, capturing);
}

static void act_on_end(void *user, bool capturing)
{
	(void)user;
	sampler_step_ends(capturing);
}

static int64_t heard_step_begins(bool nests)
{
	struct beginning_step step = {0};
	bool is_step;

	pthread_mutex_lock(&heard.lock);
	is_step = note_step(&step, nests);
	pthread_mutex_unlock(&heard.lock);
	if (!is_step)
		return 0;
	if (sampler_wants_begin(step.number, step.mark))
		(void)inject_alone(act_on_begin, &step);
	return step.mark;
}

static void heard_step_ends(int64_t mark, bool nests)
{
	(void)nests;
	pthread_mutex_lock(&heard.lock);
	for (size_t i = 0; i < heard.n; i++)
		if (heard.open[i].mark == mark) {
			heard.open[i] = heard.open[--heard.n];
			break;
		}
	pthread_mutex_unlock(&heard.lock);
	if (sampler_wants_end(mark) && !inject_alone(act_on_end, NULL))
		sampler_step_lost();
}

/* A thread of the parent may have held the lock. */
static void heard_step_forgets(void)
{
	heard.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	heard.n = 0;
	heard.steps = 0;
}

const struct range_ear range_ear = {heard_step_is_wanted, heard_step_begins, heard_step_ends, heard_step_forgets};
