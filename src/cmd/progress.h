/* progress.h: recording, with its progress on stderr. */
#ifndef DBPROF_CMD_PROGRESS_H
#define DBPROF_CMD_PROGRESS_H

#include <stdbool.h>

#include "cmd/status.h"
#include "record/record.h"

/* Records. *written tells whether there is a recording, which can be so after STATUS_FAILED too. */
enum exit_status cmd_record_now(const struct record_options *options, bool *written);

#endif
