/* deflate.c: see deflate.h. One block with the fixed codes of RFC 1951. Packets repeat each other so much that codes of
 * their own would gain little. */
#include "export/trace/deflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

enum { WINDOW = 1 << 15, HASH_BITS = 13, SHORTEST = 4, LONGEST = 258, PROBES = 8 };

enum { END_OF_BLOCK = 256, FIRST_LENGTH = 257, LONGEST_LENGTH = 285, FIXED_CODES = 1 };

struct deflate {
	struct strbuf *out;
	uint64_t bits; /* not yet in `out`, the first one lowest */
	int nbits;
	const char *bytes;
	size_t size;
	size_t last[1 << HASH_BITS]; /* the last place with these bytes, from 1; 0: none */
	size_t before[WINDOW];       /* of a place in the window: the one before it with the same bytes */
};

struct match {
	size_t length, distance;
};

/* ---- bits ---- */

static void put_bits(struct deflate *deflate, uint32_t number, int n)
{
	deflate->bits |= (uint64_t)number << deflate->nbits;
	for (deflate->nbits += n; deflate->nbits >= 8; deflate->nbits -= 8) {
		strbuf_putc(deflate->out, (char)deflate->bits);
		deflate->bits >>= 8;
	}
}

/* Codes begin with their highest bit. */
static void put_code(struct deflate *deflate, uint32_t code, int n)
{
	uint32_t turned = 0;

	for (int i = 0; i < n; i++)
		turned |= (code >> i & 1) << (n - 1 - i);
	put_bits(deflate, turned, n);
}

/* RFC 1951, 3.2.6. */
static void put_symbol(struct deflate *deflate, uint32_t symbol)
{
	if (symbol < 144)
		put_code(deflate, 0x30 + symbol, 8);
	else if (symbol < 256)
		put_code(deflate, 0x190 + symbol - 144, 9);
	else if (symbol < 280)
		put_code(deflate, symbol - 256, 7);
	else
		put_code(deflate, 0xC0 + symbol - 280, 8);
}

static int highest_bit(size_t number)
{
	int n = 0;

	while (number >>= 1)
		n++;
	return n;
}

/* RFC 1951, 3.2.5: lengths have four codes for each number of further bits, distances two. */
static void put_match(struct deflate *deflate, const struct match *match)
{
	size_t length = match->length - 3, distance = match->distance - 1;
	int more = length < 8 ? 0 : highest_bit(length) - 2;

	if (match->length == LONGEST) {
		put_symbol(deflate, LONGEST_LENGTH);
	} else {
		put_symbol(deflate, (uint32_t)(FIRST_LENGTH + 4 * more + (int)(length >> more)));
		put_bits(deflate, (uint32_t)(length & ((1U << more) - 1)), more);
	}
	more = distance < 4 ? 0 : highest_bit(distance) - 1;
	put_code(deflate, (uint32_t)(2 * more + (int)(distance >> more)), 5);
	put_bits(deflate, (uint32_t)(distance & ((1U << more) - 1)), more);
}

/* ---- what is repeated ---- */

static size_t bytes_hash(const char *bytes)
{
	uint32_t four;

	memcpy(&four, bytes, sizeof(four));
	return (uint32_t)(four * UINT32_C(2654435761)) >> (32 - HASH_BITS);
}

static void note_place(struct deflate *deflate, size_t at)
{
	size_t *last;

	if (at + SHORTEST > deflate->size)
		return;
	last = &deflate->last[bytes_hash(deflate->bytes + at)];
	deflate->before[at % WINDOW] = *last;
	*last = at + 1;
}

static size_t same_bytes(const struct deflate *deflate, size_t left, size_t right)
{
	size_t n = 0;

	while (n < LONGEST && right + n < deflate->size && deflate->bytes[left + n] == deflate->bytes[right + n])
		n++;
	return n;
}

/* The longest one of the latest places with the same bytes; its length is 0 if there is none. */
static struct match find_match(const struct deflate *deflate, size_t at)
{
	struct match best = {0, 0};
	size_t place = at + SHORTEST <= deflate->size ? deflate->last[bytes_hash(deflate->bytes + at)] : 0;

	for (int i = 0; i < PROBES && place > 0 && at - (place - 1) <= WINDOW; i++) {
		size_t length = same_bytes(deflate, place - 1, at);

		if (length >= SHORTEST && length > best.length)
			best = (struct match){length, at - (place - 1)};
		place = deflate->before[(place - 1) % WINDOW];
	}
	return best;
}

static void put_fixed_block(struct deflate *deflate)
{
	for (size_t at = 0; at < deflate->size;) {
		struct match match = find_match(deflate, at);
		size_t end = at + (match.length > 0 ? match.length : 1);

		if (match.length > 0)
			put_match(deflate, &match);
		else
			put_symbol(deflate, (unsigned char)deflate->bytes[at]);
		for (; at < end; at++)
			note_place(deflate, at);
	}
	put_symbol(deflate, END_OF_BLOCK);
}

/* RFC 1950, 8.2. */
static uint32_t adler32(const char *bytes, size_t size)
{
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < size; i++) {
		a = (a + (unsigned char)bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

void deflate_add(struct strbuf *out, const char *bytes, size_t size)
{
	struct deflate *deflate = xcalloc(1, sizeof(*deflate));
	uint32_t sum = adler32(bytes, size);

	deflate->out = out;
	deflate->bytes = bytes;
	deflate->size = size;
	strbuf_add(out, "\x78\x01", 2); /* deflate, a window of 32 KiB, made fast */
	put_bits(deflate, 1, 1);        /* the last block */
	put_bits(deflate, FIXED_CODES, 2);
	put_fixed_block(deflate);
	put_bits(deflate, 0, 7); /* to the end of the byte */
	for (int shift = 24; shift >= 0; shift -= 8)
		strbuf_putc(out, (char)(sum >> shift));
	free(deflate);
}
