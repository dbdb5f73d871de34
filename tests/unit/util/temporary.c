/* temporary.c: files and folders in the making: what dead processes left is removed, nothing else ever is. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/scratch.h"
#include "util/file/file.h"
#include "util/host.h"
#include "util/file/temporary.h"

#define PREFIX ".r.sqlite.dbprof-"
#define NUMBER "0123456789abcdef"

static void put(const char *name)
{
	int fd = open(in_scratch(name), O_WRONLY | O_CREAT | O_EXCL, 0644);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

static int is_there(const char *name)
{
	struct stat st;

	return lstat(in_scratch(name), &st) == 0;
}

/* Makes the next one for "r.sqlite", and takes it away again. */
static void make_next(void)
{
	struct temporary t;

	assert_int_equal(temporary_file_beside(&t, in_scratch("r.sqlite")), 0);
	temporary_remove(&t);
}

static void test_file(void **state)
{
	struct temporary t;
	struct stat st;
	mode_t mask = umask(027);

	(void)state;
	assert_int_equal(temporary_file_beside(&t, in_scratch("r.sqlite")), 0);
	umask(mask);
	assert_non_null(strstr(t.path, "/" PREFIX));
	assert_int_equal(stat(t.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(temporary_rename(&t, in_scratch("r.sqlite")), 0);
	assert_string_equal(t.path, "");
	temporary_remove(&t);
	assert_true(is_there("r.sqlite"));
	assert_int_equal(scratch_files(0), 1);
}

/* The mode of one that is replaced, which nobody else can read meanwhile; it may be one that cannot be written. */
static void test_mode(void **state)
{
	static const mode_t modes[] = {0600, 0644, 0444, 0666, 0640};
	struct stat st;

	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		struct temporary t;

		unlink(in_scratch("r.sqlite"));
		put("r.sqlite");
		assert_int_equal(chmod(in_scratch("r.sqlite"), modes[i]), 0);
		assert_int_equal(stat(in_scratch("r.sqlite"), &st), 0);
		assert_int_equal(temporary_file_like(&t, in_scratch("r.sqlite"), &st), 0);
		assert_int_equal(stat(t.path, &st), 0);
		assert_int_equal(st.st_mode & 0777, modes[i] | 0600);
		assert_int_equal(temporary_rename(&t, in_scratch("r.sqlite")), 0);
		assert_int_equal(stat(in_scratch("r.sqlite"), &st), 0);
		assert_int_equal(st.st_mode & 0777, modes[i]);
	}
}

static void assert_target(const char *name, const char *expected, bool is_there_now)
{
	char target[PATH_MAX];
	struct stat there;

	assert_int_equal(file_target(in_scratch(name), target, &there), 0);
	assert_string_equal(target, in_scratch(expected));
	assert_int_equal(there.st_mode != 0, is_there_now);
}

static void test_target(void **state)
{
	char target[PATH_MAX];
	struct stat there;

	(void)state;
	put("file");
	assert_int_equal(symlink("file", in_scratch("link")), 0);
	assert_int_equal(symlink(in_scratch("link"), in_scratch("to-link")), 0);
	assert_int_equal(symlink("none", in_scratch("to-none")), 0);
	assert_int_equal(symlink("loop", in_scratch("loop")), 0);
	assert_target("file", "file", true);
	assert_target("none", "none", false);
	assert_target("link", "file", true);
	assert_target("to-link", "file", true);
	assert_target("to-none", "none", false);
	assert_int_equal(file_target(in_scratch("loop"), target, &there), ELOOP);
}

static void test_target_without_name(void **state)
{
	char path[64], target[PATH_MAX];
	struct stat there;
	int fd;

	(void)state;
	put("file");
	fd = open(in_scratch("file"), O_WRONLY);
	assert_true(fd >= 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	assert_int_equal(file_target(path, target, &there), 0);
	assert_string_equal(target, in_scratch("file"));
	assert_int_equal(unlink(in_scratch("file")), 0);
	assert_int_equal(file_target(path, target, &there), ESTALE);
	close(fd);
}

static void test_folder(void **state)
{
	struct temporary t;
	char name[PATH_MAX + 16];

	(void)state;
	assert_int_equal(temporary_folder_beside(&t, in_scratch("r.sqlite")), 0);
	snprintf(name, sizeof name, "%s/a", t.path);
	assert_int_equal(mkdir(name, 0755), 0);
	snprintf(name, sizeof name, "%s/a/b", t.path);
	assert_int_equal(mkdir(name, 0755), 0);
	snprintf(name, sizeof name, "%s/link", t.path);
	put("mine");
	assert_int_equal(symlink(scratch, name), 0);
	temporary_remove(&t);
	assert_int_equal(scratch_files(0), 1);
	assert_true(is_there("mine"));
}

static void test_long_names(void **state)
{
	struct temporary t;
	char name[256];

	(void)state;
	memset(name, 'n', 255);
	name[255] = '\0';
	assert_int_equal(temporary_file_beside(&t, in_scratch(name)), 0);
	assert_int_equal(temporary_rename(&t, in_scratch(name)), 0);
	assert_int_equal(temporary_file_beside(&t, in_scratch("no/such/folder")), ENOENT);
	temporary_remove(&t);
}

/* A process that makes a file and a folder, and is killed when told to: its pid. */
static pid_t start_owner(void)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct temporary file, folder;

		if (temporary_file_beside(&file, in_scratch("r.sqlite")) == 0 &&
			temporary_folder_beside(&folder, in_scratch("r.sqlite")) == 0)
			(void)!write(ready[1], "r", 1);
		for (;;)
			pause();
	}
	assert_int_equal(close(ready[1]), 0);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void test_leftovers_of_the_dead(void **state)
{
	pid_t pid = start_owner();

	(void)state;
	make_next();
	assert_int_equal(scratch_files(0), 2); /* of one that lives */
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(scratch_files(0), 2);
	make_next();
	assert_int_equal(scratch_files(0), 0);
}

/* The name of one of this system: PREFIX and its digits, and eight more. */
static const char *name_here(void)
{
	static char name[64];
	char host[HOST_DIGITS + 1];

	host_digits(host);
	snprintf(name, sizeof name, PREFIX "%s01234567", host);
	return name;
}

static const char *of_this_system(const char *last_digits)
{
	static char name[64];

	snprintf(name, sizeof name, "%s", name_here());
	return memcpy(name + strlen(name) - 2, last_digits, 2), name;
}

static void test_others_stay(void **state)
{
	static const char *const names[] = {
		".r.sqlite.backup",                  /* anybody's */
		".r.sqlite.A1b2C3",                  /* that of rsync */
		PREFIX NUMBER,                       /* another system's */
		PREFIX "0000000000000000",           /* one without a lock */
		".s.sqlite.dbprof-" NUMBER,          /* another output's */
		"r.sqlite.dbprof-" NUMBER,           /* not hidden */
		"r.sqlite-journal", ".dbprof-notes", /* anybody's */
	};

	(void)state;
	char own[64], other[80];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		put(names[i]);
	snprintf(other, sizeof other, "%s0", name_here());
	put(other); /* too long */
	snprintf(other, sizeof other, "%s", name_here());
	other[strlen(other) - 1] = 'F';
	put(other); /* no digit of ours */
	other[strlen(other) - 1] = '\0';
	put(other); /* too short */
	put("target");
	assert_int_equal(symlink("target", in_scratch(of_this_system("ff"))), 0);
	assert_int_equal(mkfifo(in_scratch(of_this_system("fe")), 0600), 0);
	assert_int_equal(mkdir(in_scratch(of_this_system("fd")), 0755), 0);
	snprintf(own, sizeof own, "%s", name_here());
	put(own);
	make_next();
	assert_false(is_there(own));
	assert_int_equal(scratch_files(0), (int)(sizeof names / sizeof names[0]) + 7);
}

/* The folder that was made for it goes with it, unless there is something else in it. */
static void test_takes_parent(void **state)
{
	struct temporary t;

	(void)state;
	for (int with_more = 0; with_more < 2; with_more++) {
		assert_int_equal(mkdir(in_scratch("new"), 0777), 0);
		assert_int_equal(temporary_folder_in(&t, in_scratch("new"), ".dbprof-"), 0);
		t.takes_parent = true;
		if (with_more)
			put("new/mine");
		temporary_remove(&t);
		assert_int_equal(is_there("new"), with_more);
	}
	assert_int_equal(remove(in_scratch("new/mine")), 0);
}

static int no_locks;

/* Stands in for the C library's. */
int flock(int fd, int operation)
{
	errno = ENOLCK;
	return no_locks ? -1 : (int)syscall(SYS_flock, fd, operation);
}

/* What has no lock does not look like what a dead process left. */
static void test_without_locks(void **state)
{
	struct temporary file, folder;

	(void)state;
	no_locks = 1;
	assert_int_equal(temporary_file_beside(&file, in_scratch("r.sqlite")), 0);
	assert_int_equal(temporary_folder_beside(&folder, in_scratch("r.sqlite")), 0);
	no_locks = 0;
	assert_false(host_made(file.path));
	assert_false(host_made(folder.path));
	make_next();
	assert_int_equal(scratch_files(0), 2);
	temporary_remove(&file);
	temporary_remove(&folder);
	assert_int_equal(scratch_files(0), 0);
}

/* Many at once in the same place: none takes another's for a leftover. */
static void test_at_once(void **state)
{
	enum { PROCESSES = 8, EACH = 200 };
	pid_t pids[PROCESSES];
	int status;

	(void)state;
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		for (int n = 0; pids[i] == 0 && n <= EACH; n++) {
			struct temporary t;
			struct stat st;

			if (n == EACH)
				_exit(0);
			if (temporary_file_beside(&t, in_scratch("r.sqlite")) != 0 || stat(t.path, &st) != 0 ||
				temporary_rename(&t, in_scratch("r.sqlite")) != 0)
				_exit(1);
		}
	}
	for (int i = 0; i < PROCESSES; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(scratch_files(0), 1);
}

/* A process that begins just now puts a spool into the folder between its last file and itself. */
static const char *latecomer;

/* Stands in for the C library's. */
int unlinkat(int folder, const char *name, int flags)
{
	if (latecomer != NULL && (flags & AT_REMOVEDIR) != 0) {
		put(latecomer);
		latecomer = NULL;
	}
	return (int)syscall(SYS_unlinkat, folder, name, flags);
}

static void test_latecomer(void **state)
{
	struct temporary t;
	char name[128];

	(void)state;
	assert_int_equal(temporary_folder_beside(&t, in_scratch("r.sqlite")), 0);
	snprintf(name, sizeof name, "%s/1-0.spool", strrchr(t.path, '/') + 1);
	latecomer = name;
	temporary_remove(&t);
	assert_null(latecomer);
	assert_int_equal(scratch_files(0), 0);
}

static void end_in_handler(int signal_number)
{
	(void)signal_number;
	temporary_remove_all();
	_exit(0);
}

/* Makes a file and a full folder, and makes and removes others for ever. */
static void own_until_signalled(int ready)
{
	const struct sigaction action = {.sa_handler = end_in_handler};
	struct temporary file, folder, other;
	char name[PATH_MAX + 16];

	(void)sigaction(SIGTERM, &action, NULL);
	(void)!temporary_file_beside(&file, in_scratch("r.sqlite"));
	(void)!temporary_folder_in(&folder, scratch, "dbprof-");
	snprintf(name, sizeof name, "%s/a", folder.path);
	(void)!mkdir(name, 0755);
	snprintf(name, sizeof name, "%s/a/b", folder.path);
	(void)!close(open(name, O_WRONLY | O_CREAT, 0644));
	(void)!write(ready, "r", 1);
	for (int i = 0;; i++) {
		(void)!(i % 2 ? temporary_file_beside(&other, in_scratch("s.sqlite"))
			      : temporary_folder_beside(&other, in_scratch("s.sqlite")));
		temporary_remove(&other);
	}
}

/* Whatever the process is doing, a signal handler leaves nothing. */
static void test_removed_in_handler(void **state)
{
	enum { TIMES = 50 };
	int ready[2], status;
	char c;

	(void)state;
	for (int i = 0; i < TIMES; i++) {
		pid_t pid;

		assert_int_equal(pipe(ready), 0);
		pid = fork();
		if (pid == 0)
			own_until_signalled(ready[1]);
		assert_int_equal(close(ready[1]), 0);
		assert_int_equal(read(ready[0], &c, 1), 1);
		close(ready[0]);
		usleep((useconds_t)(i * 37));
		assert_int_equal(kill(pid, SIGTERM), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		assert_int_equal(scratch_files(0), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_file),
		scratch_test(test_mode),
		scratch_test(test_target),
		scratch_test(test_target_without_name),
		scratch_test(test_folder),
		scratch_test(test_long_names),
		scratch_test(test_leftovers_of_the_dead),
		scratch_test(test_others_stay),
		scratch_test(test_takes_parent),
		scratch_test(test_without_locks),
		scratch_test(test_at_once),
		scratch_test(test_latecomer),
		scratch_test(test_removed_in_handler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
