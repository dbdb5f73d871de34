/* cmd.c: see cmd.h. */
#include "config.h"

#include "cmd/cmd.h"

const struct cmd_option cmd_help_option = {'h', "help", .help = "show this help"};

static const struct cmd_option *first_option(const struct cmd_option *table)
{
	return table && table->name ? table : NULL;
}

static bool is_in(const struct cmd_option *table, const struct cmd_option *option)
{
	while (table && table->name && table != option)
		table++;
	return table && table->name;
}

const struct cmd_option *cmd_next_option(const struct cmd *cmd, const struct cmd_option *option)
{
	if (!option)
		return first_option(cmd->options) ? cmd->options : first_option(cmd->shared);
	if (option[1].name)
		return option + 1;
	return is_in(cmd->options, option) ? first_option(cmd->shared) : NULL;
}
