/* message.h: what dbprof says on stderr: "dbprof: message", one line. */
#ifndef DBPROF_CMD_MESSAGE_H
#define DBPROF_CMD_MESSAGE_H

#include <stdbool.h>

#include "cmd/status.h"
#include "util/error.h"

void cmd_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on messages have hashes where the paths of these recordings would stand, as --redact asks. They replace
 * those of the last call. */
void cmd_redact_messages(const char *const *files, int n);

/* From now on the process that started this worker hears the messages, if it has left a pipe for them. */
void cmd_speak_to_parent(void);

/* Prints an error that a library reported. Returns the status given, for `return cmd_fail(...)`; STATUS_FAILED in place
 * of STATUS_USAGE where a disk or a process is to blame. */
enum exit_status cmd_fail(enum exit_status status, const struct error *err);

/* The same for the value of an option: "option error". */
enum exit_status cmd_refuse(const char *option, const struct error *err);

/* The same where standard output is written to: quiet if nobody reads that, see cmd_end_unread(). */
enum exit_status cmd_fail_output(enum exit_status status, const struct error *err);

/* "this dbprof was built without CUDA and WHAT", with what to do. Returns STATUS_FAILED. */
enum exit_status cmd_lacks_cuda(const char *what);

/* Whether the last cmd_fail() was due to a signal: main() then ends by it. */
bool cmd_gave_up(void);

/* `one` for 1, else `many`. */
const char *cmd_plural(long long n, const char *one, const char *many);

#endif
