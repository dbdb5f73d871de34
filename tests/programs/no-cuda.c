/* no-cuda.c: a program that uses no CUDA and shows what it is given: how it would run alone, it must run when traced.
 *
 * usage: no-cuda [STEP]...   Steps are done in order; without -s or -k it ends with status 0.
 *   -o TEXT, -e TEXT  prints a line on standard output, on standard error
 *   -c                copies standard input to standard output
 *   -x NAME           prints the environment variable NAME, or "unset"
 *   -f                prints its open file descriptors
 *   -m                prints its masks of signals: blocked, ignored
 *   -a                prints how many arguments it has, and their length; what follows it is not looked at
 *   -i                waits for the first SIGINT, SIGTERM or SIGHUP and half a second more; prints "got SIGNAL times N"
 *   -w SECONDS        sleeps
 *   -d SECONDS        leaves a child behind, in a session of its own, that holds all its descriptors for that long
 *   -l                does what the CUDA driver does at its first call: loads the injection library, calls it
 *   -n                the same in a child of fork()
 *   -r                sets SIGINT back to its default and becomes the command that follows
 *   -s STATUS         ends by exit(), -q STATUS by _exit(), -k SIGNAL by that signal */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t got, times;

static void on_signal(int signal)
{
	got = signal;
	times++;
}

static void print_line(const char *text)
{
	puts(text);
	fflush(stdout);
}

static void copy(void)
{
	int c;

	while ((c = getchar()) != EOF)
		putchar(c);
	fflush(stdout);
}

/* The descriptor of the listing itself is left out. */
static void print_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder))
			printf("%s ", entry->d_name);
	closedir(folder);
	print_line("");
}

static void print_masks(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];

	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, "SigBlk:", 7) == 0 || strncmp(line, "SigIgn:", 7) == 0)
			fputs(line, stdout);
	if (file != NULL)
		fclose(file);
	fflush(stdout);
}

static void print_arguments(int argc, char **argv)
{
	size_t length = 0;

	for (int i = 1; i < argc; i++)
		length += strlen(argv[i]);
	printf("%d %zu\n", argc - 1, length);
	exit(0);
}

static void wait_for_signal(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t all, none;

	sigemptyset(&action.sa_mask);
	sigemptyset(&none);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	print_line("ready");
	sigsuspend(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 0; i < 50; i++)
		usleep(10000);
	printf("got %d times %d\n", (int)got, (int)times);
	fflush(stdout);
}

/* Returns when the child has left our session. */
static void leave_child(unsigned seconds)
{
	int gone[2];
	char none;

	if (pipe(gone) != 0)
		exit(1);
	if (fork() == 0) {
		setsid();
		close(gone[0]);
		close(gone[1]);
		sleep(seconds);
		_exit(0);
	}
	close(gone[1]);
	(void)!read(gone[0], &none, 1);
	close(gone[0]);
}

/* Says "injected N", N being what the library's function returned. */
static void inject(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW);
	int (*function)(void) = NULL;

	if (library != NULL)
		*(void **)&function = dlsym(library, "InitializeInjection");
	if (function == NULL) {
		print_line(path == NULL ? "no injection library" : "the injection library cannot be loaded");
		return;
	}
	printf("injected %d\n", function());
	fflush(stdout);
}

static void inject_in_child(void)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		inject();
		exit(0);
	}
	waitpid(pid, &status, 0);
}

/* No core file: it would be left in a folder of the user's. */
static void die_by(int number)
{
	const struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	signal(number, SIG_DFL);
	raise(number);
}

static void become(char **command)
{
	signal(SIGINT, SIG_DFL);
	execvp(command[0], command);
	exit(127);
}

/* A step that takes an argument. */
static void step_with(char letter, const char *argument)
{
	const char *value = getenv(argument);

	switch (letter) {
	case 'o':
		print_line(argument);
		break;
	case 'e':
		fprintf(stderr, "%s\n", argument);
		break;
	case 'x':
		print_line(value == NULL ? "unset" : value);
		break;
	case 'w':
		sleep((unsigned)atoi(argument));
		break;
	case 'd':
		leave_child((unsigned)atoi(argument));
		break;
	case 's':
		exit(atoi(argument));
	case 'q':
		_exit(atoi(argument));
	case 'k':
		die_by(atoi(argument));
		break;
	}
}

static void step(char letter)
{
	switch (letter) {
	case 'c':
		copy();
		break;
	case 'f':
		print_descriptors();
		break;
	case 'm':
		print_masks();
		break;
	case 'i':
		wait_for_signal();
		break;
	case 'l':
		inject();
		break;
	case 'n':
		inject_in_child();
		break;
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char letter = argv[i][0] == '-' ? argv[i][1] : '\0';

		if (letter == 'r' && i + 1 < argc)
			become(argv + i + 1);
		else if (letter == 'a')
			print_arguments(argc, argv);
		else if (letter != '\0' && strchr("oexwdsqk", letter) != NULL && i + 1 < argc)
			step_with(letter, argv[++i]);
		else if (letter != '\0' && strchr("cfmiln", letter) != NULL)
			step(letter);
		else
			return 64;
	}
	return 0;
}
