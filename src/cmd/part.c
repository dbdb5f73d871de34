/* part.c: see part.h. */
#include "config.h"

#include "cmd/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/message.h"
#include "cmd/values.h"
#include "util/clock.h"
#include "util/format.h"

/* One end of a window; an empty one is open. */
static bool window_end(const char *text, size_t length, int64_t open, int64_t *out)
{
	*out = open;
	return length == 0 || cmd_time(text, length, out);
}

static enum exit_status take_window(struct part_wish *wish, const char *value)
{
	const char *dots = strstr(value, "..");

	if (!dots || !window_end(value, (size_t)(dots - value), INT64_MIN, &wish->from) ||
		!window_end(dots + 2, strlen(dots + 2), INT64_MAX, &wish->to)) {
		cmd_error("--window takes two times with units (" CMD_TIME_UNITS
			  "), such as 10s..20s or 250ms.., not '%s'",
			value);
		return STATUS_USAGE;
	}
	if (wish->from >= wish->to) {
		cmd_error("--window=%s ends before it begins: put the earlier time first", value);
		return STATUS_USAGE;
	}
	wish->window = true;
	return STATUS_DONE;
}

static enum exit_status take_memory(struct part_wish *wish, const char *value)
{
	static const struct cmd_unit units[] = {{"K", 0x1p10}, {"M", 0x1p20}, {"G", 0x1p30}, {"T", 0x1p40}, {NULL, 0}};

	if (cmd_quantity(value, strlen(value), units, &wish->memory) && wish->memory > 0)
		return STATUS_DONE;
	cmd_error("--memory takes a size with K, M, G or T, such as 4G, not '%s'", value);
	return STATUS_USAGE;
}

enum exit_status take_part(struct part_wish *wish, int key, const char *value)
{
	long long every;

	switch (key) {
	case OPTION_WINDOW:
		return take_window(wish, value);
	case OPTION_MEMORY:
		return take_memory(wish, value);
	case OPTION_EVERY:
		if (!cmd_number("every", value, 1, 1000000000, &every))
			return STATUS_USAGE;
		wish->every = (long)every;
		return STATUS_DONE;
	default:
		if (*value == '\0') {
			cmd_error("--range takes the name of an NVTX range, or a pattern such as 'step *'");
			return STATUS_USAGE;
		}
		wish->range = value;
		return STATUS_DONE;
	}
}

bool cmd_part_is_good(const struct part_wish *wish)
{
	if (wish->every == 0 || wish->range)
		return true;
	cmd_error("--every counts NVTX ranges: name them with --range, as in --range=iteration --every=10");
	return false;
}

/* ---- progress ---- */

/* From so many seconds on, how long it takes is worth a line. */
static const double worth_telling_seconds = 5, seconds_between = 0.2;

static double seconds_now(void)
{
	return (double)clock_monotonic() / 1e9;
}

static void clear_reading(const struct reading_progress *progress)
{
	if (progress->terminal && progress->last > 0)
		fputs("\r\033[K", stderr);
}

static void reading_begins(void *user, const char *file, const struct forecast *forecast, bool part)
{
	struct reading_progress *progress = user;
	char rows[FORMAT_SIZE], bytes[FORMAT_SIZE], is_free[FORMAT_SIZE], time[FORMAT_SIZE], own[FORMAT_SIZE],
		more[FORMAT_SIZE];

	snprintf(progress->file, sizeof(progress->file), "%s", file);
	progress->rows = forecast->rows;
	progress->began = seconds_now();
	format_count(rows, sizeof(rows), (double)forecast->rows);
	format_bytes(bytes, sizeof(bytes), (double)forecast->bytes);
	format_bytes(is_free, sizeof(is_free), (double)forecast->free);
	format_bytes(own, sizeof(own), (double)forecast->own);
	format_bytes(more, sizeof(more), (double)(forecast->bytes - forecast->own));
	format_time_ns(time, sizeof(time), forecast->seconds * 1e9);
	clear_reading(progress);
	if (part)
		cmd_error("%s: about %s rows take about %s of memory, and %s are free: a part of it will be read", file,
			rows, bytes, is_free);
	else if (forecast->little)
		cmd_error("%s: a report takes %s, and the rows only %s more: all of them are read, though %s are free",
			file, own, more, is_free);
	else if (forecast->seconds >= worth_telling_seconds)
		cmd_error("%s: about %s rows take about %s and %s of memory", file, rows, time, bytes);
}

static void reading_goes_on(void *user, int64_t rows)
{
	struct reading_progress *progress = user;
	double now = seconds_now(), share = progress->rows > 0 ? (double)rows / (double)progress->rows : 1;

	if (!progress->terminal || now - progress->began < 1 || now - progress->last < seconds_between)
		return;
	progress->last = now;
	fprintf(stderr, "\r\033[Kreading %.60s: %.0f %%", progress->file, 100 * fmin(share, 1));
}

void reading_progress_begin(struct reading_progress *progress)
{
	*progress = (struct reading_progress){
		.hearer = {reading_begins, reading_goes_on, progress}, .terminal = isatty(STDERR_FILENO) != 0};
}

void reading_progress_end(struct reading_progress *progress)
{
	clear_reading(progress);
	progress->last = 0;
}
