/* process.h: runs a child process to its end. */
#ifndef DBPROF_RECORD_WORKER_PROCESS_H
#define DBPROF_RECORD_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

/* How a process ended. */
struct process_end {
	bool stopped; /* `stop` said so */
	bool timed_out;
	int status;       /* as of waitpid() */
	char words[1024]; /* what the program wrote to the descriptor PROCESS_WORDS, or why memory was short in the
			     call; "" for nothing */
};

/* A program finds a pipe at this descriptor. If it cannot do its work, it tells the parent why, in one line. */
enum { PROCESS_WORDS = 3 };

/* Starts `program` with `argv`, its standard input and output on /dev/null, and waits. Calls `stop` at least every 100
 * ms. If that returns true, or after `timeout_ms`, it ends the process, if need be by force. The process also ends when
 * this one dies. -1 with `err` if it cannot be started. */
int process_run(const char *program, char *const argv[], int timeout_ms, bool (*stop)(void *user), void *user,
	struct process_end *out, struct error *err);

/* Calls call(user) in a child process, its standard input and output on /dev/null, and waits. The process ends when the
 * call returns, or by force after `timeout_ms`. What the call does to memory is lost, except in shared mappings. If
 * memory runs short there, words[] says so. Use it while this process has one thread. -1 with `err` if the process
 * cannot be started. */
int process_call(void (*call)(void *user), void *user, int timeout_ms, struct process_end *out, struct error *err);

/* The first line of the child's words, without "dbprof: " before it. Cuts the other lines off. */
const char *process_reason(struct process_end *end);

/* "was killed by signal 11 (Segmentation fault)" or "ended with exit status 3". */
void process_describe(int status, char *out, size_t size);

#endif
