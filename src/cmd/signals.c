/* signals.c: see signals.h. */
#include "config.h"

#include "cmd/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/file/temporary.h"

enum { SHELL_SIGNAL = 128 };

static volatile sig_atomic_t caught;     /* the signal that was caught; 0: none */
static volatile sig_atomic_t must_clean; /* there is more to end than temporary files: a signal is only noted */
static pid_t self;                       /* a child that has not exec'ed yet says nothing */
static bool ignored_children;            /* SIGCHLD was ignored when dbprof was started */

/* ---- streams ---- */

void cmd_guard_streams(void)
{
	/* They are as useless as before: reading from the first and writing to the others fails. */
	static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", flags[fd] | O_CLOEXEC);
}

bool cmd_output_is_unread(void)
{
	struct pollfd output = {.fd = STDOUT_FILENO};

	return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

enum exit_status cmd_end_unread(void)
{
	return (enum exit_status)cmd_end_by(SIGPIPE);
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
		temporary_remove_all();
		(void)!write(STDERR_FILENO, line, sizeof(line) - 1);
	}
	_exit(cmd_end_by(signal_number));
}

/* A signal that is ignored stays so, as under nohup. */
static void signals_handle(int signal_number, void (*handler)(int), int flags)
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

/* Else children would vanish before we ask how they ended, and other processes could have their numbers. */
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
	/* A full disk and a reader that went away are errors of a call. The signals are not ignored: the programs that
	 * we start would inherit that. */
	signals_handle(SIGPIPE, do_nothing, SA_RESTART);
	signals_handle(SIGXFSZ, do_nothing, SA_RESTART);
	self = getpid();
	if (!stops)
		return;
	signals_handle(SIGINT, on_stop, 0);
	signals_handle(SIGTERM, on_stop, 0);
	signals_handle(SIGHUP, on_stop, 0);
	signals_handle(SIGQUIT, on_stop, 0);
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
