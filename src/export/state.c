/* state.c: see state.h. */
#include "export/state.h"

#include <string.h>

#include "store/event.h"

enum { FLUSH_BYTES = 1 << 17, KEPT_BYTES = 16, ROWS_BETWEEN_QUESTIONS = 4096 };

static bool step_interrupted(struct export *ex)
{
	const struct export_options *options = ex->options;

	return ++ex->rows % ROWS_BETWEEN_QUESTIONS == 0 && options->interrupted && options->interrupted(options->user);
}

/* Some bytes stay: the end of a format may have to take back its last separator. */
static int step_hand_over(struct export *ex)
{
	size_t size = ex->text.length - KEPT_BYTES;

	if (outfile_write(ex->out, ex->text.text, size, ex->err) < 0)
		return -1;
	memmove(ex->text.text, ex->text.text + size, KEPT_BYTES);
	ex->text.length = KEPT_BYTES;
	ex->text.text[KEPT_BYTES] = '\0';
	return 0;
}

int export_step(struct export *ex)
{
	if (ex->failed)
		return -1;
	if (step_interrupted(ex))
		return error_system(ex->err, "interrupted");
	return ex->text.length < FLUSH_BYTES ? 0 : step_hand_over(ex);
}

int64_t export_launch_process(const struct export *ex, int64_t process)
{
	return ex->only_process >= 0 ? 0 : process;
}

int64_t export_device(const struct export *ex, int64_t process, int64_t device)
{
	return device_is_possible(device) ? device_of(&ex->devices, process, device) : device;
}

bool export_times_good(int64_t start, int64_t end)
{
	return times_usable(start, end);
}

bool export_usable(struct export *ex, int64_t start, int64_t end)
{
	bool good = export_times_good(start, end);

	ex->result->left_out += !good;
	return good;
}
