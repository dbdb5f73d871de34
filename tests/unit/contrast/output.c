/* output.c: outputs of two sides: their hash, byte by byte, and by a command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "contrast/commands.h"
#include "contrast/measure/output.h"
#include "fixtures/files.h"
#include "util/text/words.h"

/* Known values of FNV-1a. */
static void hashes_are_known(void **state)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} known[] = {
		{"", UINT64_C(0xcbf29ce484222325)},
		{"a", UINT64_C(0xaf63dc4c8601ec8c)},
		{"foobar", UINT64_C(0x85944171f73967e8)},
	};
	struct output sum;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		put("out", known[i].text);
		assert_int_equal(output_sum(in_scratch("out"), &sum, NULL), 0);
		assert_true(sum.hash == known[i].hash);
		assert_int_equal(sum.bytes, strlen(known[i].text));
	}
}

static void a_missing_file_has_no_hash(void **state)
{
	struct error err = {0};
	struct output sum;

	(void)state;
	assert_int_equal(output_sum(in_scratch("none"), &sum, &err), -1);
	assert_non_null(strstr(err.text, "none"));
	assert_int_equal(output_sum(scratch, &sum, &err), -1);
}

/* `n` bytes, the last of which is `last`. */
static void put_long(const char *name, size_t n, char last)
{
	char *text = malloc(n + 1);

	assert_non_null(text);
	memset(text, 'x', n);
	text[n - 1] = last;
	text[n] = '\0';
	put(name, text);
	free(text);
}

static enum output_check compare(void)
{
	return output_compare(in_scratch("a"), in_scratch("b"), NULL);
}

static void bytes_are_compared(void **state)
{
	struct error err = {0};

	(void)state;
	put("a", "");
	put("b", "");
	assert_int_equal(compare(), OUTPUT_SAME);
	put("b", "x");
	assert_int_equal(compare(), OUTPUT_DIFFERS);
	for (size_t n = 65535; n <= 65537; n++) {
		put_long("a", n, 'x');
		put_long("b", n, 'x');
		assert_int_equal(compare(), OUTPUT_SAME);
		put_long("b", n, 'y');
		assert_int_equal(compare(), OUTPUT_DIFFERS);
		put_long("b", n + 1, 'x');
		assert_int_equal(compare(), OUTPUT_DIFFERS);
	}
	assert_int_equal(output_compare(in_scratch("a"), in_scratch("none"), &err), OUTPUT_FAILED);
	assert_non_null(strstr(err.text, "none"));
}

static enum output_check check_as(
	const struct sides_wish *wish, const char *command, int64_t timeout_ns, struct error *err)
{
	char **words = sides_check_command(wish, command, err);
	enum output_check check;

	assert_non_null(words);
	put("a", "1\n");
	put("b", "2\n");
	check = output_check_by(words, in_scratch("a"), in_scratch("b"), timeout_ns, err);
	words_free(words);
	return check;
}

static enum output_check check_by(const char *command, int64_t timeout_ns, struct error *err)
{
	static const struct sides_wish wish = {.shell = false};

	return check_as(&wish, command, timeout_ns, err);
}

static void fails(const char *command, int64_t timeout_ns, enum output_check how, const char *why)
{
	struct error err = {0};

	assert_int_equal(check_by(command, timeout_ns, &err), how);
	if (strstr(err.text, why) == NULL)
		fail_msg("%s: '%s' instead of '%s'", command, err.text, why);
}

static void a_command_compares(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(check_by("true", 0, &err), OUTPUT_SAME);
	assert_int_equal(check_by("cmp", 0, &err), OUTPUT_DIFFERS);
	assert_int_equal(check_by("sh -c 'test \"$(cat \"$1\")$(cat \"$2\")\" = 12' x", 0, &err), OUTPUT_SAME);
	fails("sh -c 'exit 2'", 0, OUTPUT_FAILED, "status 2");
	fails("sh -c 'kill -9 $$'", 0, OUTPUT_FAILED, "signal 9");
	fails("./no-such-command", 0, OUTPUT_NO_COMMAND, "cannot start");
	fails("sh -c ./no-such-command", 0, OUTPUT_NO_COMMAND, "status 127");
	fails("sh -c 'sleep 1000'", 1000000, OUTPUT_FAILED, "too long");
}

static void a_shell_reads_the_command(void **state)
{
	static const struct sides_wish plain = {.shell = false}, vary = {.vary = "n=1,2"}, shell = {.shell = true};
	struct error err = {0};

	(void)state;
	assert_int_equal(check_as(&shell, "cmp", 0, &err), OUTPUT_DIFFERS);
	assert_int_equal(check_as(&shell, "cmp | cat", 0, &err), OUTPUT_SAME);
	assert_int_equal(check_as(&shell, "false || cmp", 0, &err), OUTPUT_DIFFERS);
	assert_int_equal(check_as(&shell, "test $# = 2 && test \"$(cat \"$1\")\" = 1 && cmp", 0, &err), OUTPUT_DIFFERS);
	assert_int_equal(
		check_as(&shell, "f() { test \"$(cat \"$1\" \"$2\" | tr -d '\n')\" = 12; }; f", 0, &err), OUTPUT_SAME);
	assert_null(sides_check_command(&shell, " \n", &err));
	assert_string_equal(err.text, "a command is empty");
	/* What helps where no shell reads it: --vary and --shell exclude each other. */
	assert_null(sides_check_command(&plain, "cmp | cat", &err));
	assert_non_null(strstr(err.text, "use --shell, or"));
	assert_null(sides_check_command(&vary, "cmp | cat", &err));
	assert_non_null(strstr(err.text, "use sh -c, or"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(hashes_are_known),
		scratch_test(a_missing_file_has_no_hash),
		scratch_test(bytes_are_compared),
		scratch_test(a_command_compares),
		scratch_test(a_shell_reads_the_command),
	};

	signal(SIGCHLD, SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
