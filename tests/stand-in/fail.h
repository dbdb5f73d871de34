/*
 * fail.h: what the parts of tests/stand-in/libfail.so share. It is preloaded into dbprof, and makes a call of libc fail
 * that dbprof, or a library for it, makes: memory, files, processes, threads. It counts calls in processes of dbprof,
 * and elsewhere those that come from the library which `dbprof trace` puts into programs. Set in the environment:
 *
 *   FAIL_LOG=FILE     at the end of each process, appends a line "FUNCTION SITE FIRST LAST COUNT" per function and call
 * site: SITE is the innermost frame in an object of dbprof's own and two that called it (dbprof+0x1234<dbprof+0x5678),
 * FIRST and LAST are the numbers of its first and last call among all of the function's, COUNT is how many it made. All
 * ways to get memory are one function, malloc. What the stand-in GPU calls is left out. A worker is an object of its
 * pass's name (verify+0x1234)
 *   FAIL_CALL=FUNCTION[@SITE]:N:CODE    the N-th such call of each process, counted from 1, fails; 0 for N: each one.
 * CODE is an errno, with a + behind it if all later ones fail too; or "short": half of the bytes are written
 *   FAIL_FIRED=FILE   is made when a call has failed
 *   FAIL_LEAKS=FILE   at the end of each process of dbprof, the blocks of memory that were not freed: a line per block
 * with the object and offset of who asked for it
 */
#ifndef DBPROF_TESTS_FAIL_H
#define DBPROF_TESTS_FAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAIL_SHORT = -1 };

/* Nothing is counted before main(): a library that sets itself up there, as the CUDA runtime does, cannot be helped. */
void fail_start(int argc, char **argv);

/* Counts a call. Returns the errno with which it is to fail, FAIL_SHORT, or 0. `is_write`: FAIL_SHORT is possible. */
int fail_here(const char *function, bool is_write);

/* Around a fork(), in the parent and in the child: so that no thread that the child does not have holds a lock there. */
void fail_hold(void);
void fail_let_go(void);

/* Puts into *next, a pointer to a function, the one of that name that would have been called without this library. */
void fail_next(const char *name, void *next);

/* At the end of a process, and in the child of a fork. */
void fail_write_log(void);
void fail_forget_log(void);
void fail_write_leaks(void);

/* Code within this runs without being counted: what the library itself calls. Per thread. */
void fail_pause(void);
void fail_resume(void);
bool fail_is_paused(void);

/* Whether main() has been called, and the process is one of dbprof, and not a program that is traced. */
bool fail_is_dbprof(void);

/* Zeroed memory of the library's own, by no call that is counted; the process ends if there is none. */
void *fail_memory(size_t size);

/* Appends to a file named in the environment, without a call that could be counted; nothing if it is not set. */
void fail_append(const char *variable, const char *text, size_t size);

/* "object+0x12", of an address in code. */
void fail_site_text(const void *address, char *text, size_t size);

/* Returns from a wrapper if this call is to fail. `failure`: what the function returns then. */
#define FAIL_CALL(name, failure)                                                                                       \
	do {                                                                                                           \
		int code_ = fail_here(name, false);                                                                    \
		if (code_ != 0) {                                                                                      \
			errno = code_;                                                                                 \
			return failure;                                                                                \
		}                                                                                                      \
	} while (0)

/* A variable `next`, the function behind the wrapper of that name. */
#define FAIL_NEXT(name)                                                                                                \
	static __typeof__(&name) next;                                                                                 \
	if (next == NULL)                                                                                              \
	fail_next(#name, &next)

#endif
