/* packets.c: what packets are made of: the wire format of protocol buffers, numbers of texts, ends of slices. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/trace/deflate.h"
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

/* ---- compression ---- */

struct reader {
	const unsigned char *bytes;
	size_t bit;
};

static unsigned take_bits(struct reader *reader, int n)
{
	unsigned number = 0;

	for (int i = 0; i < n; i++, reader->bit++)
		number |= (unsigned)(reader->bytes[reader->bit / 8] >> reader->bit % 8 & 1) << i;
	return number;
}

/* Codes of Huffman's begin with their highest bit. */
static unsigned take_turned(struct reader *reader, unsigned code, int n)
{
	while (n-- > 0)
		code = code << 1 | take_bits(reader, 1);
	return code;
}

/* The table of RFC 1951, 3.2.6, from the shortest codes to the longest. */
static unsigned take_symbol(struct reader *reader)
{
	unsigned code = take_turned(reader, 0, 7);

	if (code <= 0x17)
		return 256 + code;
	code = take_turned(reader, code, 1);
	if (code <= 0xBF)
		return code - 0x30;
	if (code <= 0xC7)
		return 280 + code - 0xC0;
	return 144 + take_turned(reader, code, 1) - 0x190;
}

/* The tables of RFC 1951, 3.2.5, as they stand there. */
static const struct {
	unsigned first;
	int more;
} lengths[] = {{3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}, {9, 0}, {10, 0}, {11, 1}, {13, 1}, {15, 1}, {17, 1},
	{19, 2}, {23, 2}, {27, 2}, {31, 2}, {35, 3}, {43, 3}, {51, 3}, {59, 3}, {67, 4}, {83, 4}, {99, 4}, {115, 4},
	{131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}},
  distances[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 1}, {7, 1}, {9, 2}, {13, 2}, {17, 3}, {25, 3}, {33, 4}, {49, 4},
	  {65, 5}, {97, 5}, {129, 6}, {193, 6}, {257, 7}, {385, 7}, {513, 8}, {769, 8}, {1025, 9}, {1537, 9},
	  {2049, 10}, {3073, 10}, {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}};

static void take_match(struct reader *reader, unsigned symbol, struct strbuf *out)
{
	unsigned code, length, distance;

	assert_in_range(symbol, 257, 285);
	length = lengths[symbol - 257].first + take_bits(reader, lengths[symbol - 257].more);
	code = take_turned(reader, 0, 5);
	assert_in_range(code, 0, 29);
	distance = distances[code].first + take_bits(reader, distances[code].more);
	assert_in_range(distance, 1, out->length);
	while (length-- > 0)
		strbuf_putc(out, out->text[out->length - distance]);
}

/* One block of fixed codes between a head and a sum; the whole stream is read. */
static void inflate(const struct strbuf *stream, struct strbuf *out)
{
	struct reader reader = {(const unsigned char *)stream->text, 16};
	unsigned symbol;

	assert_int_equal((reader.bytes[0] << 8 | reader.bytes[1]) % 31, 0);
	assert_int_equal(take_bits(&reader, 1), 1);
	assert_int_equal(take_bits(&reader, 2), 1);
	while ((symbol = take_symbol(&reader)) != 256) {
		if (symbol < 256)
			strbuf_putc(out, (char)symbol);
		else
			take_match(&reader, symbol, out);
	}
	assert_int_equal((reader.bit + 7) / 8 + 4, stream->length);
}

static size_t packed_size(const struct strbuf *bytes)
{
	struct strbuf stream = {0}, back = {0};
	size_t size;

	deflate_add(&stream, bytes->length ? bytes->text : "", bytes->length);
	size = stream.length;
	assert_in_range(size, 0, bytes->length + bytes->length / 8 + 16);
	inflate(&stream, &back);
	assert_int_equal(back.length, bytes->length);
	if (bytes->length > 0)
		assert_memory_equal(back.text, bytes->text, bytes->length);
	strbuf_free(&stream);
	strbuf_free(&back);
	return size;
}

/* Bytes of all kinds, in stretches that come again at all distances, also beyond the window. */
static void compressed_bytes_come_back(void **state)
{
	struct strbuf bytes = {0};
	unsigned seed = 1;

	(void)state;
	packed_size(&bytes);
	for (int i = 0; i < 3; i++) {
		strbuf_putc(&bytes, (char)(0xFF - i));
		packed_size(&bytes);
	}
	while (bytes.length < 200000) {
		seed = seed * 1103515245 + 12345;
		size_t back = (seed >> 8) % 50000 + 1, length = (seed >> 20) % 300;

		for (size_t i = 0; i < length; i++) {
			seed = seed * 1103515245 + 12345;
			strbuf_putc(&bytes, back < bytes.length && length % 3 ? bytes.text[bytes.length - back]
									      : (char)(seed >> 16));
		}
	}
	packed_size(&bytes);
	strbuf_clear(&bytes);
	for (int i = 0; i < 100000; i++)
		strbuf_putc(&bytes, 'a');
	assert_in_range(packed_size(&bytes), 0, 1000);
	strbuf_free(&bytes);
}

/* The example of RFC 1950's sum is that of Wikipedia's article on Adler-32. */
static void compressed_bytes_have_a_sum(void **state)
{
	struct strbuf stream = {0};

	(void)state;
	deflate_add(&stream, "Wikipedia", 9);
	assert_memory_equal(stream.text + stream.length - 4, "\x11\xe6\x03\x98", 4);
	strbuf_free(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_as_the_format_says),
		cmocka_unit_test(texts_have_one_number_each),
		cmocka_unit_test(ends_come_in_order),
		cmocka_unit_test(compressed_bytes_come_back),
		cmocka_unit_test(compressed_bytes_have_a_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
