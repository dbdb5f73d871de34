/* ptx.c: what kind of instruction a line of PTX is. */
#include "analyze/ptx.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct opcode {
	const char *name;
	enum ptx_kind kind;
};

/* Sorted by name for bsearch(). by_space() has the instructions whose kind depends on their state space. */
static const struct opcode opcodes[] = {
	{"abs", PTX_ARITHMETIC},
	{"add", PTX_ARITHMETIC},
	{"addc", PTX_ARITHMETIC},
	{"and", PTX_ARITHMETIC},
	{"bar", PTX_BARRIER},
	{"barrier", PTX_BARRIER},
	{"bfe", PTX_ARITHMETIC},
	{"bfi", PTX_ARITHMETIC},
	{"bfind", PTX_ARITHMETIC},
	{"bmsk", PTX_ARITHMETIC},
	{"bra", PTX_BRANCH},
	{"brev", PTX_ARITHMETIC},
	{"brx", PTX_BRANCH},
	{"call", PTX_BRANCH},
	{"clz", PTX_ARITHMETIC},
	{"cnot", PTX_ARITHMETIC},
	{"copysign", PTX_ARITHMETIC},
	{"cos", PTX_ARITHMETIC},
	{"cvt", PTX_MOVE},
	{"cvta", PTX_MOVE},
	{"div", PTX_ARITHMETIC},
	{"dp2a", PTX_ARITHMETIC},
	{"dp4a", PTX_ARITHMETIC},
	{"ex2", PTX_ARITHMETIC},
	{"exit", PTX_BRANCH},
	{"fma", PTX_ARITHMETIC},
	{"fns", PTX_ARITHMETIC},
	{"lg2", PTX_ARITHMETIC},
	{"lop3", PTX_ARITHMETIC},
	{"mad", PTX_ARITHMETIC},
	{"mad24", PTX_ARITHMETIC},
	{"madc", PTX_ARITHMETIC},
	{"max", PTX_ARITHMETIC},
	{"mbarrier", PTX_BARRIER},
	{"min", PTX_ARITHMETIC},
	{"mma", PTX_ARITHMETIC},
	{"mov", PTX_MOVE},
	{"mul", PTX_ARITHMETIC},
	{"mul24", PTX_ARITHMETIC},
	{"neg", PTX_ARITHMETIC},
	{"not", PTX_ARITHMETIC},
	{"or", PTX_ARITHMETIC},
	{"popc", PTX_ARITHMETIC},
	{"prmt", PTX_MOVE},
	{"rcp", PTX_ARITHMETIC},
	{"rem", PTX_ARITHMETIC},
	{"ret", PTX_BRANCH},
	{"rsqrt", PTX_ARITHMETIC},
	{"sad", PTX_ARITHMETIC},
	{"selp", PTX_PREDICATE},
	{"set", PTX_PREDICATE},
	{"setp", PTX_PREDICATE},
	{"shf", PTX_ARITHMETIC},
	{"shfl", PTX_SHUFFLE},
	{"shl", PTX_ARITHMETIC},
	{"shr", PTX_ARITHMETIC},
	{"sin", PTX_ARITHMETIC},
	{"slct", PTX_PREDICATE},
	{"sqrt", PTX_ARITHMETIC},
	{"sub", PTX_ARITHMETIC},
	{"subc", PTX_ARITHMETIC},
	{"szext", PTX_ARITHMETIC},
	{"tanh", PTX_ARITHMETIC},
	{"testp", PTX_PREDICATE},
	{"xor", PTX_ARITHMETIC},
};

/* An instruction's opcode with its modifiers: "ld.volatile.shared.u32"; not NUL-terminated. */
struct mnemonic {
	const char *text;
	size_t length;
};

static bool part_of_mnemonic(char c)
{
	return islower((unsigned char)c) || isdigit((unsigned char)c) || c == '_' || c == '.';
}

static bool part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static const char *skip_space(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

/* Skips "label:", or returns `s` if there is none. */
static const char *skip_label(const char *s)
{
	const char *end = s;

	while (part_of_name(*end))
		end++;
	end = skip_space(end);
	return end > s && *end == ':' ? end + 1 : s;
}

/* Skips "@p" or "@!p". */
static const char *skip_guard(const char *s)
{
	if (*s != '@')
		return s;
	s++;
	if (*s == '!')
		s++;
	while (part_of_name(*s))
		s++;
	return skip_space(s);
}

/* Finds the mnemonic. False if the line holds no instruction, as where a call goes on with an argument. */
static bool find_mnemonic(const char *line, struct mnemonic *out)
{
	const char *s = skip_space(line), *end;

	while (*s == '{')
		s = skip_space(s + 1);
	s = skip_guard(skip_space(skip_label(s)));
	if (!islower((unsigned char)*s))
		return false;
	for (end = s; part_of_mnemonic(*end) || (end[0] == ':' && end[1] == ':'); end++)
		if (*end == ':')
			end++;
	*out = (struct mnemonic){s, (size_t)(end - s)};
	return *end == ';' || (isspace((unsigned char)*end) && *skip_space(end) != '\0');
}

/* Where the modifier ".name" stands in the mnemonic; its length if there is none. ".shared::cta" is a ".shared". */
static size_t modifier(const struct mnemonic *m, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i + length < m->length; i++) {
		const char *after = m->text + i + 1 + length;
		bool ends = after == m->text + m->length || *after == '.' || *after == ':';

		if (m->text[i] == '.' && ends && memcmp(m->text + i + 1, name, length) == 0)
			return i;
	}
	return m->length;
}

static bool has(const struct mnemonic *m, const char *name)
{
	return modifier(m, name) < m->length;
}

static bool is_opcode(const struct mnemonic *m, const char *name)
{
	size_t length = strlen(name);

	return m->length >= length && memcmp(m->text, name, length) == 0 &&
	       (m->length == length || m->text[length] == '.');
}

static int by_space(const struct mnemonic *m, enum ptx_kind shared, enum ptx_kind global)
{
	if (has(m, "shared"))
		return (int)shared;
	return (int)(has(m, "global") ? global : PTX_OTHER);
}

/* Asynchronous copies name the destination first. They count as accesses to global memory. */
static int asynchronous_copy(const struct mnemonic *m)
{
	if (!has(m, "shared") || !has(m, "global"))
		return PTX_OTHER;
	return modifier(m, "shared") < modifier(m, "global") ? PTX_LOAD_GLOBAL : PTX_STORE_GLOBAL;
}

static int compare_opcode(const void *key, const void *element)
{
	const struct mnemonic *m = key;
	const char *name = ((const struct opcode *)element)->name;
	const char *dot = memchr(m->text, '.', m->length);
	size_t length = !dot ? m->length : (size_t)(dot - m->text);
	int order = strncmp(m->text, name, length);

	return order == 0 && name[length] != '\0' ? -1 : order;
}

static int by_table(const struct mnemonic *m)
{
	const struct opcode *found =
		bsearch(m, opcodes, sizeof(opcodes) / sizeof(*opcodes), sizeof(*opcodes), compare_opcode);

	if (!found)
		return PTX_OTHER;
	return (int)(found->kind == PTX_ARITHMETIC && has(m, "pred") ? PTX_PREDICATE : found->kind);
}

/* wmma and wgmma: loads, stores and the multiplication itself. */
static int matrix(const struct mnemonic *m)
{
	if (has(m, "load"))
		return by_space(m, PTX_LOAD_SHARED, PTX_LOAD_GLOBAL);
	if (has(m, "store"))
		return by_space(m, PTX_STORE_SHARED, PTX_STORE_GLOBAL);
	return has(m, "mma") || has(m, "mma_async") ? PTX_ARITHMETIC : PTX_OTHER;
}

int ptx_classify(const char *line)
{
	struct mnemonic m;

	if (!find_mnemonic(line, &m))
		return -1;
	if (is_opcode(&m, "ld") || is_opcode(&m, "ldu") || is_opcode(&m, "ldmatrix"))
		return by_space(&m, PTX_LOAD_SHARED, PTX_LOAD_GLOBAL);
	if (is_opcode(&m, "st") || is_opcode(&m, "stmatrix"))
		return by_space(&m, PTX_STORE_SHARED, PTX_STORE_GLOBAL);
	if (is_opcode(&m, "cp"))
		return asynchronous_copy(&m);
	if (is_opcode(&m, "wmma") || is_opcode(&m, "wgmma"))
		return matrix(&m);
	return by_table(&m);
}

const char *ptx_kind_name(enum ptx_kind kind)
{
	static const char *const names[PTX_KINDS] = {
		[PTX_LOAD_SHARED] = "shared loads",
		[PTX_STORE_SHARED] = "shared stores",
		[PTX_LOAD_GLOBAL] = "global loads",
		[PTX_STORE_GLOBAL] = "global stores",
		[PTX_SHUFFLE] = "shuffles",
		[PTX_BARRIER] = "barriers",
		[PTX_ARITHMETIC] = "arithmetic",
		[PTX_MOVE] = "moves and conversions",
		[PTX_PREDICATE] = "comparisons and predicates",
		[PTX_BRANCH] = "branches",
		[PTX_OTHER] = "other",
	};

	return names[kind];
}
