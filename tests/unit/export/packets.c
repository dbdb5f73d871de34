/* packets.c: what packets are made of: the wire format of protocol buffers, numbers of texts, ends of slices. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/trace/interned.h"
#include "export/trace/open-ends.h"
#include "export/trace/protobuf.h"

/* Takes what is in `message`. */
static void expect_bytes(struct strbuf *message, const char *bytes, size_t size)
{
	assert_int_equal(message->length, size);
	assert_memory_equal(message->text, bytes, size);
	strbuf_free(message);
}

/* The examples are those of https://protobuf.dev/programming-guides/encoding/. */
static void fields_are_as_the_format_says(void **state)
{
	struct strbuf message = {0}, inner = {0};

	(void)state;
	protobuf_int(&message, 1, 150);
	expect_bytes(&message, "\x08\x96\x01", 3);
	protobuf_text(&message, 2, "testing");
	expect_bytes(&message, "\x12\x07testing", 9);
	protobuf_int(&inner, 1, 150);
	protobuf_message(&message, 3, &inner);
	expect_bytes(&message, "\x1a\x03\x08\x96\x01", 5);
	protobuf_int(&message, 1, (uint64_t)-2);
	expect_bytes(&message, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	protobuf_fixed64(&message, 47, 0x0102030405060708);
	expect_bytes(&message, "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01", 10);
	protobuf_double(&message, 44, 1.0);
	expect_bytes(&message, "\xe1\x02\0\0\0\0\0\0\xf0\x3f", 10);
	strbuf_clear(&inner);
	protobuf_message(&message, 3, &inner);
	protobuf_text(&message, 2, "");
	expect_bytes(&message, "\x1a\0\x12\0", 4);
	strbuf_free(&inner);
}

static void texts_have_one_number_each(void **state)
{
	struct interned interned = {0};
	char text[16];
	bool is_new;

	(void)state;
	assert_int_equal(interned_number(&interned, 1, "a", &is_new), 1);
	assert_true(is_new);
	assert_int_equal(interned_number(&interned, 2, "a", &is_new), 2);
	assert_true(is_new);
	assert_int_equal(interned_number(&interned, 1, "", &is_new), 3);
	for (int i = 0; !interned_is_full(&interned); i++) {
		assert_in_range(i, 0, 100000);
		snprintf(text, sizeof(text), "text %d", i);
		assert_int_equal(interned_number(&interned, 1, text, &is_new), (uint64_t)i + 4);
	}
	assert_int_equal(interned_number(&interned, 2, "a", &is_new), 2);
	assert_false(is_new);
	interned_clear(&interned);
	assert_false(interned_is_full(&interned));
	assert_int_equal(interned_number(&interned, 2, "a", &is_new), 1);
	assert_true(is_new);
	interned_clear(&interned);
}

static void ends_come_in_order(void **state)
{
	struct open_ends ends = {0};
	struct open_end end;
	int64_t before = -1;
	size_t n = 0;

	(void)state;
	assert_false(open_ends_take(&ends, INT64_MAX, &end));
	while (!open_ends_are_full(&ends))
		open_ends_add(&ends, (struct open_end){(int64_t)(n++ * 7919 % 65521), 1});
	assert_false(open_ends_take(&ends, -1, &end));
	while (open_ends_take(&ends, 30000, &end)) {
		assert_true(end.time >= before && end.time <= 30000);
		before = end.time;
		n--;
	}
	assert_int_equal(ends.n, n);
	assert_true(open_ends_take(&ends, INT64_MAX, &end));
	assert_int_equal(end.time, 30001);
	open_ends_free(&ends);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_as_the_format_says),
		cmocka_unit_test(texts_have_one_number_each),
		cmocka_unit_test(ends_come_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
