/* patience.c: see patience.h. */
#include "figure/patience.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "util/machine/parallel.h"

enum { LOOK_MS = 50, LONGEST_MS = 400 };

static int64_t patience_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void patience_begin(struct patience *p)
{
	*p = (struct patience){.at_ms = patience_now_ms()};
}

/* Of those that run now one is this process. The mean of the last minute also has those that wait for a disk. */
double patience_share(const char *loadavg, int processors)
{
	double mean = 0, want;
	int running = 0;

	if (sscanf(loadavg, "%lf %*s %*s %d/", &mean, &running) != 2)
		return 1;
	want = mean > running - 1 ? mean : running - 1;
	return want > processors ? processors / want : 1;
}

/* How often it is asked depends on the time, so it takes no memory: tests count what does. */
static double share_now(void)
{
	char text[128] = "";
	int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);

	if (file >= 0) {
		ssize_t size = read(file, text, sizeof(text) - 1);

		text[size > 0 ? size : 0] = '\0';
		close(file);
	}
	return patience_share(text, processors_usable());
}

double patience_spent_ms(struct patience *p)
{
	const int64_t now = patience_now_ms(), passed = now - p->at_ms;

	if (passed >= LOOK_MS) {
		p->spent_ms += share_now() * (double)(passed < LONGEST_MS ? passed : LONGEST_MS);
		p->at_ms = now;
	}
	return p->spent_ms;
}
