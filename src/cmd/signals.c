/* signals.c: signals that ask dbprof to stop, and the streams that it was started with. See cmd.h. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "util/temporary.h"

enum { SHELL_SIGNAL = 128 };

static volatile sig_atomic_t caught;     /* the signal that was; 0: none */
static volatile sig_atomic_t must_clean; /* there may be more than one file to remove: the signal is only noted */
static pid_t self;                       /* a child that has not exec'ed yet says nothing */
static bool ignored_children;            /* SIGCHLD was, when dbprof was started */

/* ---- standard streams ---- */

void cmd_guard_streams(void)
{
	/* They cannot be used, as before: reading from the first and writing to the others fails. */
	static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", flags[fd] | O_CLOEXEC);
}

/* ---- ending ---- */

int cmd_end_by(int signal_number)
{
	const struct rlimit no_core = {0, 0};
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t set;

	setrlimit(RLIMIT_CORE, &no_core); /* a core of ours would be of no interest */
	sigemptyset(&action.sa_mask);
	sigaction(signal_number, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal_number);
	/* The first process of a container does not die of its own signals. */
	return SHELL_SIGNAL + signal_number;
}

static void on_stop(int signal_number)
{
	static const char line[] = "dbprof: interrupted\n";

	if (must_clean) {
		caught = signal_number;
		return;
	}
	if (getpid() == self) {
		temporary_remove_in_handler();
		(void)!write(STDERR_FILENO, line, sizeof(line) - 1);
	}
	_exit(cmd_end_by(signal_number));
}

/* What is ignored already stays so, as under nohup. */
static void handle(int signal_number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;

	sigemptyset(&action.sa_mask);
	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(signal_number, &action, NULL);
}

static void do_nothing(int signal_number)
{
	(void)signal_number;
}

/* The end of children that nobody waits for would be gone before we ask for it, and their numbers another's. */
static void hear_of_children(void)
{
	struct sigaction children;

	ignored_children = sigaction(SIGCHLD, NULL, &children) == 0 && children.sa_handler == SIG_IGN;
	if (ignored_children)
		signal(SIGCHLD, SIG_DFL);
}

bool cmd_ignored_children(void)
{
	return ignored_children;
}

void cmd_watch_signals(bool stops)
{
	hear_of_children();
	/* A full disk or a reader that went away is an error to report, not a reason to die. Not ignored: that would
	 * be inherited by the programs that are started. */
	handle(SIGPIPE, do_nothing, SA_RESTART);
	handle(SIGXFSZ, do_nothing, SA_RESTART);
	self = getpid();
	if (!stops)
		return;
	handle(SIGINT, on_stop, 0);
	handle(SIGTERM, on_stop, 0);
	handle(SIGHUP, on_stop, 0);
}

void cmd_catch_signals(void)
{
	must_clean = 1;
}

void cmd_let_signals_end(void)
{
	must_clean = 0;
}

bool cmd_interrupted(void *unused)
{
	(void)unused;
	return caught != 0;
}

int cmd_signal(void)
{
	return caught;
}
