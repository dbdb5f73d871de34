/* gnuplot-process.h: child processes that are listened to; between gnuplot.c and gnuplot-process.c only. */
#ifndef DBPROF_FIGURE_GNUPLOT_PROCESS_H
#define DBPROF_FIGURE_GNUPLOT_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* What gnuplot is made to print when a figure is done. */
#define PROCESS_DONE_MARK "dbprof-figure-done"

/* A line that tells why, and the figure it is about. */
struct complaint {
	char text[400]; /* empty: none */
	int figure;     /* how many were done before it */
};

struct process {
	pid_t pid;              /* 0: not started, or ended */
	int fd;                 /* what it prints; -1: closed */
	int status;             /* as from waitpid(), once it has ended */
	int figures;            /* that it draws */
	int done;               /* of them; marks beyond are passed over */
	struct complaint first; /* the first line that is neither blank nor a mark */
	struct complaint error; /* the first line in gnuplot's form for an error */
	char line[400];         /* being read */
	size_t used;
};

enum process_end { PROCESS_ENDED, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED, PROCESS_FAILED };

/* Starts argv[0], found on PATH, in `workdir`, with `input` as standard input and LC_ALL=C. Its descriptor `listen` (1
 * or 2) is listened to, the other of the two goes nowhere. Returns 0 or an errno value. */
int process_start(struct process *process, char *const *argv, const char *workdir, int input, int listen, int figures);

/* Listens until all `n` have ended. Gives up when no figure is finished and no process ends for `timeout_ms`, as
 * patience.h counts them, when `interrupted` (may be NULL) says so, or when poll() fails (errno). Whatever the outcome,
 * none is left running. */
enum process_end process_wait_all(
	struct process *processes, int n, int timeout_ms, bool (*interrupted)(void *user), void *user);

/* Ends those that run, with all that they started. */
void process_kill_all(struct process *processes, int n);

#endif
