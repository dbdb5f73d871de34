/* process.h: runs a worker process to its end. */
#ifndef DBPROF_RECORD_WORK_PROCESS_H
#define DBPROF_RECORD_WORK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

/* How a process ended. */
struct process_end {
	bool stopped; /* `stop` said so */
	bool timed_out;
	int status;       /* as of waitpid() */
	char words[1024]; /* what it wrote to the descriptor PROCESS_WORDS, or a call to who made it; "" for nothing */
};

/* A program that is run finds a pipe there, to tell who runs it in a line why it cannot do its work. */
enum { PROCESS_WORDS = 3 };

/* Starts `program` with `argv`, its standard input and output on /dev/null, and waits. `stop` is asked at least every
 * 100 ms; if it says true, or after `timeout_ms`, the process is ended, if need be by force. The process also
 * ends when this one dies. -1 with `err` if it cannot be started. */
int process_run(const char *program, char *const argv[], int timeout_ms, bool (*stop)(void *user), void *user,
	struct process_end *out, struct error *err);

/* Calls call(user) in a child process, its standard input and output on /dev/null, and waits; the process ends when the
 * call returns, and is ended after `timeout_ms`. What the call does to memory is lost, but for shared mappings;
 * where memory runs short, words[] say so. To be used while this process has one thread. -1 with `err` if no process
 * can be started. */
int process_call(void (*call)(void *user), void *user, int timeout_ms, struct process_end *out, struct error *err);

/* The first line of its words, without "dbprof: " before it; cuts the others off. */
const char *process_reason(struct process_end *end);

/* "was killed by signal 11 (Segmentation fault)" or "ended with exit status 3". */
void process_describe(int status, char *out, size_t size);

#endif
