/* memory-stream.c: a stream into memory holds all that was written, or says that it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "util/memory-stream.h"

/* The linker puts this in the place of realloc() (see Makefile.am). */
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool short_of_memory;

void *__wrap_realloc(void *old, size_t size)
{
	return short_of_memory ? NULL : __real_realloc(old, size);
}

static void holds_what_was_written(void **state)
{
	char *text;
	size_t size;
	FILE *stream = memory_stream(&text, &size);

	(void)state;
	assert_non_null(stream);
	assert_int_equal(ftell(stream), 0);
	for (int i = 0; i < 10000; i++)
		fprintf(stream, "%04d ", i);
	fwrite("\0end", 1, 4, stream);
	assert_int_equal(ftell(stream), 50004);
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(size, 50004);
	assert_memory_equal(text, "0000 0001 ", 10);
	assert_memory_equal(text + 49995, "9999 \0end", 10);
	free(text);
}

static void is_an_empty_text_at_first(void **state)
{
	char *text;
	size_t size;
	FILE *stream = memory_stream(&text, &size);

	(void)state;
	assert_non_null(stream);
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(size, 0);
	assert_string_equal(text, "");
	free(text);
}

/* Memory is there again when the rest is written, and when the stream is closed. */
static void tells_of_a_loss_in_the_middle(void **state)
{
	static const char page[5000] = {1};
	char *text;
	size_t size;
	FILE *stream = memory_stream(&text, &size);

	(void)state;
	assert_non_null(stream);
	fwrite(page, 1, sizeof page, stream);
	short_of_memory = true;
	fwrite(page, 1, sizeof page, stream);
	fwrite(page, 1, sizeof page, stream);
	short_of_memory = false;
	fwrite(page, 1, sizeof page, stream);
	assert_true(ferror(stream));
	assert_int_equal(fclose(stream), EOF);
	assert_null(text);
}

/* What stays in the stream's own buffer until the end. */
static void tells_of_a_loss_at_the_end(void **state)
{
	char *text;
	size_t size;
	FILE *stream = memory_stream(&text, &size);

	(void)state;
	assert_non_null(stream);
	for (int i = 0; i < 200; i++)
		fputs("some words ", stream);
	short_of_memory = true;
	assert_int_equal(fclose(stream), EOF);
	short_of_memory = false;
	assert_null(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_what_was_written),
		cmocka_unit_test(is_an_empty_text_at_first),
		cmocka_unit_test(tells_of_a_loss_in_the_middle),
		cmocka_unit_test(tells_of_a_loss_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
