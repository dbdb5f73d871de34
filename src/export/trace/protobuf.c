/* protobuf.c: see protobuf.h. */
#include "export/trace/protobuf.h"

#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

/* Seven bits a byte, the lowest first. */
static void protobuf_varint(struct strbuf *message, uint64_t number)
{
	char room[10];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		room[n++] = (char)(number | 0x80);
	room[n++] = (char)number;
	strbuf_add(message, room, n);
}

static void protobuf_tag(struct strbuf *message, int field, enum wire_type type)
{
	protobuf_varint(message, (uint64_t)field << 3 | type);
}

void protobuf_int(struct strbuf *message, int field, uint64_t number)
{
	protobuf_tag(message, field, WIRE_VARINT);
	protobuf_varint(message, number);
}

void protobuf_fixed64(struct strbuf *message, int field, uint64_t number)
{
	char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(number >> 8 * i);
	protobuf_tag(message, field, WIRE_FIXED64);
	strbuf_add(message, bytes, sizeof(bytes));
}

void protobuf_double(struct strbuf *message, int field, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	protobuf_fixed64(message, field, bits);
}

static void protobuf_bytes(struct strbuf *message, int field, const char *bytes, size_t size)
{
	protobuf_tag(message, field, WIRE_BYTES);
	protobuf_varint(message, size);
	if (size > 0)
		strbuf_add(message, bytes, size);
}

void protobuf_text(struct strbuf *message, int field, const char *text)
{
	protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct strbuf *message, int field, const struct strbuf *inner)
{
	protobuf_bytes(message, field, inner->text, inner->length);
}
