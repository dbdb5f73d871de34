/* strays.c: what is seen of a process that our library does not get into, in a folder like /proc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixtures/scratch.h"
#include "trace/strays.h"

#define PID 7
#define ROOT_OF_PROCESS "7/root"
#define LIBRARY_FOLDER "/library"
#define LIBRARY LIBRARY_FOLDER "/libdbprof-inject.so"
#define OURS "A=b\0CUDA_INJECTION64_PATH=" LIBRARY "\0"
#define MAP "7f0000000000-7f0000001000 r-xp 00000000 08:01 7 "

static const char library[] = ROOT_OF_PROCESS LIBRARY, library_folder[] = ROOT_OF_PROCESS LIBRARY_FOLDER;
static const char *const files[] = {"7/cmdline", "7/comm", "7/environ", "7/maps", "7/status", library};
static const char *const folders[] = {"7", ROOT_OF_PROCESS, library_folder};

enum { FILES = sizeof(files) / sizeof(files[0]), FOLDERS = sizeof(folders) / sizeof(folders[0]) };

static void put(const char *name, const char *text, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

/* A process that has our environment, and our library where that says. */
static int begin(void **state)
{
	if (scratch_make(state) != 0)
		return -1;
	for (size_t i = 0; i < FOLDERS; i++)
		if (mkdir(in_scratch(folders[i]), 0755) != 0)
			return -1;
	put_text("7/cmdline", "./train");
	put_text("7/comm", "train\n");
	put("7/environ", OURS, sizeof(OURS) - 1);
	put_text("7/maps", MAP "/usr/bin/train\n");
	put_text(library, "");
	return 0;
}

static int end(void **state)
{
	for (size_t i = 0; i < FILES; i++)
		unlink(in_scratch(files[i]));
	for (size_t i = FOLDERS; i-- > 0;)
		rmdir(in_scratch(folders[i]));
	return scratch_remove(state);
}

static enum stray_kind look(void)
{
	return stray_look(scratch, PID, LIBRARY).kind;
}

static void test_reached(void **state)
{
	(void)state;
	assert_int_equal(look(), STRAY_NONE);
	put_text("7/maps", MAP "/usr/lib/libcuda.so.1\n");
	assert_int_equal(look(), STRAY_NONE);
}

static void test_without_environment(void **state)
{
	struct stray stray;

	(void)state;
	put_text("7/environ", "");
	assert_int_equal(look(), STRAY_BARE);
	put("7/environ", "A=b\0CUDA_INJECTION64_PATH=/other.so\0", 36);
	assert_int_equal(look(), STRAY_BARE);
	put_text("7/maps", MAP "/usr/bin/train\n" MAP "/usr/lib/libcuda.so.580.1\n" MAP "/usr/lib/libc.so.6\n");
	stray = stray_look(scratch, PID, LIBRARY);
	assert_int_equal(stray.kind, STRAY_CUDA);
	assert_int_equal(stray.pid, PID);
	assert_string_equal(stray.name, "train");
	/* Nothing but the end of the path counts. */
	put_text("7/maps", MAP "/usr/lib/libcuda.so.1/libc.so.6\n" MAP "/usr/lib/mylibcuda.so\n");
	assert_int_equal(look(), STRAY_BARE);
}

/* As in a container with the environment, but another root. */
static void test_without_library(void **state)
{
	(void)state;
	unlink(in_scratch(library));
	assert_int_equal(look(), STRAY_BARE);
	put_text("7/maps", MAP "/usr/lib/libcudart.so.13\n");
	assert_int_equal(look(), STRAY_CUDA);
}

/* It has set its environment itself, or has written its title over it. */
static void test_reached_all_the_same(void **state)
{
	(void)state;
	put_text("7/environ", "");
	put_text("7/maps", MAP "/usr/lib/libcuda.so.1\n" MAP LIBRARY "\n");
	assert_int_equal(look(), STRAY_NONE);
	put_text("7/maps", MAP "/usr/lib/libcuda.so.1\n");
	put("7/environ", "worker 1\0\0\0\0\0\0\0", 15);
	assert_int_equal(look(), STRAY_NONE);
	put("7/environ", "worker=1\0\0\0\0\0\0\0", 15);
	assert_int_equal(look(), STRAY_NONE);
}

/* What begins or has ended looks as if it had no environment. */
static void test_passing(void **state)
{
	(void)state;
	put_text("7/environ", "");
	put_text("7/cmdline", "");
	assert_int_equal(look(), STRAY_NONE);
	put_text("7/cmdline", "./train");
	put_text("7/maps", "");
	assert_int_equal(look(), STRAY_NONE);
	assert_int_equal(stray_look(scratch, PID + 1, LIBRARY).kind, STRAY_NONE);
}

/* Whether the environment can be read is for nobody to say who may read all. */
static void test_other_user(void **state)
{
	char users[64];
	uid_t self = geteuid();
	enum stray_kind others, own;

	(void)state;
	chmod(in_scratch("7/environ"), 0);
	put_text("7/status", "Name:\ttrain\nUid:\t123456\t123456\t123456\t123456\n");
	if (self == 0 && (chmod(scratch, 0755) != 0 || seteuid(65534) != 0))
		skip();
	others = look();
	assert_int_equal(seteuid(self), 0);
	snprintf(users, sizeof(users), "Name:\ttrain\nUid:\t%u\t0\t0\t0\n", (unsigned)getuid());
	put_text("7/status", users);
	if (self == 0)
		assert_int_equal(seteuid(65534), 0);
	own = look();
	assert_int_equal(seteuid(self), 0);
	assert_int_equal(others, STRAY_HIDDEN);
	assert_int_equal(own, STRAY_NONE);
}

/* So often the process executes itself again. */
#define TIMES "400"
/* Any file will do that is not among the libraries of a process. */
#define ANY_FILE "/dev/null"

static void execute_again(const char *times)
{
	char self[PATH_MAX] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		execl(self, self, times, (char *)NULL);
	_exit(1);
}

/* Returns when the process has executed itself once: until then it has our environment. */
static pid_t begin_executing(void)
{
	int ends[2];
	char nothing;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(setenv("CUDA_INJECTION64_PATH", ANY_FILE, 1), 0);
	pid = fork();
	if (pid == 0)
		execute_again(TIMES);
	assert_true(pid > 0);
	close(ends[1]);
	assert_int_equal(read(ends[0], &nothing, 1), 0);
	close(ends[0]);
	return pid;
}

/* While a process executes another program, its environment is empty for a moment. */
static void test_executing(void **state)
{
	const pid_t pid = begin_executing();
	size_t wrong = 0;
	int status;

	(void)state;
	while (waitpid(pid, &status, WNOHANG) == 0)
		wrong += stray_look("/proc", pid, ANY_FILE).kind != STRAY_NONE;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(wrong, 0);
}

#define stray_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		stray_test(test_reached),
		stray_test(test_without_environment),
		stray_test(test_without_library),
		stray_test(test_reached_all_the_same),
		stray_test(test_passing),
		stray_test(test_other_user),
		cmocka_unit_test(test_executing),
	};
	char left[16];

	if (argc == 2 && atoi(argv[1]) > 0) {
		snprintf(left, sizeof(left), "%d", atoi(argv[1]) - 1);
		execute_again(left);
	}
	return argc == 2 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
