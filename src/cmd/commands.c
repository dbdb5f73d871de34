/* commands.c: the table of all commands. Each is defined in the file of its name. */
#include "config.h"

#include "cmd/commands.h"

#include <string.h>

const struct cmd *const cmd_all[] = {
	&cmd_run,
	&cmd_record,
	&cmd_report,
	&cmd_trace,
	&cmd_advise,
	&cmd_contrast,
	&cmd_compare,
	&cmd_export,
	&cmd_list,
	&cmd_doctor,
	&cmd_help,
	&cmd_manual,
#ifdef HAVE_CUDA
	&cmd_worker,
#endif
	NULL,
};

static const struct cmd_option no_command_options[] = {
	{256, "all", .help = "measure all families that need not be named, write reports/index.html",
		.more = "Options after it are those of `dbprof run`. Where no NVIDIA GPU exists, it shows a recording "
			"that "
			"ships with dbprof."},
	{'V', "version", .help = "show the version"},
	{0},
};

const struct cmd cmd_none = {.name = "", .options = no_command_options};

const struct cmd *cmd_find(const char *name)
{
	for (int i = 0; cmd_all[i]; i++)
		if (strcmp(cmd_all[i]->name, name) == 0)
			return cmd_all[i];
	return NULL;
}
