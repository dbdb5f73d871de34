/* signals.h: signals that ask dbprof to stop, and the standard streams. */
#ifndef DBPROF_CMD_SIGNALS_H
#define DBPROF_CMD_SIGNALS_H

#include <stdbool.h>

#include "cmd/status.h"

/* ---- streams ---- */

/* Keeps the files that dbprof opens from becoming standard streams that it was started without: to be called first. */
void cmd_guard_streams(void);

/* Whether standard output is a pipe that nobody reads any more, as in `dbprof list | head -1`. */
bool cmd_output_is_unread(void);

/* Ends this process as other programs end then: without a word, by SIGPIPE. As cmd_end_by(). */
enum exit_status cmd_end_unread(void);

/* ---- signals ---- */

/* From now on writing where nobody reads, or beyond the limit of a file's size, is an error and no signal. With
 * `stops`, Ctrl-C, SIGTERM and SIGHUP end dbprof at once, with a line; those that were ignored stay so, as under nohup.
 */
void cmd_watch_signals(bool stops);

/* Whether dbprof was started with SIGCHLD ignored. cmd_watch_signals() undoes that: the end of children is heard of. */
bool cmd_ignored_children(void);

/* From now on there is more to end than temporary files go away (util/file/temporary.h), as programs that were started:
 * a signal only sets a flag, which cmd_interrupted() reads. */
void cmd_catch_signals(void);
bool cmd_interrupted(void *unused);

/* There is no more than that again: a signal ends dbprof at once. */
void cmd_let_signals_end(void);

/* The signal that was caught; 0 if there was none. */
int cmd_signal(void);

/* Ends this process by the signal. The first process of a container cannot die so: then it returns the exit status that
 * a shell would have for it. */
int cmd_end_by(int signal_number);

#endif
