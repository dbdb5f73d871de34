/* self.c: see self.h. */
#include "trace/inject/self.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"

/* Arguments end with NUL bytes there. */
static void read_command(char *text, size_t size)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		n = 0;
	while (n > 0 && text[n - 1] == '\0')
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	text[n] = '\0';
}

static void self_read_name(char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *slash;

	path[n < 0 ? 0 : n] = '\0';
	slash = strrchr(path, '/');
	snprintf(text, size, "%s", !slash ? path : slash + 1);
}

void self_read(struct self *self)
{
	self->pid = getpid();
	self->parent = getppid();
	self->start = clock_realtime();
	read_command(self->command, sizeof(self->command));
	self_read_name(self->name, sizeof(self->name));
}

int self_write(struct spool *spool, const struct self *self, bool finished, size_t dropped, size_t untimed,
	const char *note, struct error *err)
{
	const struct value row[TRACEDPROCESS_NUMBER] = {
		[TRACEDPROCESS_pid] = VALUE_OF_INT(self->pid),
		[TRACEDPROCESS_parent] = VALUE_OF_INT(self->parent),
		[TRACEDPROCESS_command] = VALUE_OF_TEXT(self->command),
		[TRACEDPROCESS_start] = VALUE_OF_INT(self->start),
		[TRACEDPROCESS_end] = VALUE_OF_INT(clock_realtime()),
		[TRACEDPROCESS_finished] = VALUE_OF_INT(finished),
		[TRACEDPROCESS_dropped] = VALUE_OF_INT(dropped),
		[TRACEDPROCESS_untimed] = VALUE_OF_INT(untimed),
		[TRACEDPROCESS_note] = VALUE_OF_TEXT(note),
		[TRACEDPROCESS_wideRanges] =
			finished ? VALUE_OF_INT((int64_t)self->wide_ranges) : (struct value){.kind = VALUE_NULL},
	};

	return spool_row(spool, TABLE_TRACEDPROCESS, row, err);
}

int self_write_facts(struct spool *spool, const struct self *self, uint32_t cupti, struct error *err)
{
	char version[16];
	const struct value process[PROCESS_NUMBER] = {
		[PROCESS_globalPid] = VALUE_OF_INT((int64_t)self->pid << 24),
		[PROCESS_pid] = VALUE_OF_INT(self->pid),
		[PROCESS_name] = VALUE_OF_TEXT(self->name),
	};
	const struct value fact[META_NUMBER] = {
		[META_key] = VALUE_OF_TEXT("cupti"),
		[META_value] = VALUE_OF_TEXT(version),
	};

	snprintf(version, sizeof(version), "%u", (unsigned)cupti);
	return spool_row(spool, TABLE_PROCESS, process, err) < 0 ? -1 : spool_row(spool, TABLE_META, fact, err);
}
