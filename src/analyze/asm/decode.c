/* decode.c: see decode.h. */
#include "analyze/asm/decode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Names are compared up to the first dot. */
static const struct {
	const char *name;
	enum asm_kind kind;
} kinds[] = {
	{"NOP", ASM_NEVER},
	{"LDG", ASM_LOAD},
	{"LD", ASM_LOAD},
	{"STG", ASM_STORE},
	{"ST", ASM_STORE},
	{"RED", ASM_STORE},
	{"REDG", ASM_STORE},
	{"LDGSTS", ASM_LDGSTS},
	{"UTMALDG", ASM_UTMALDG},
	{"LDGDEPBAR", ASM_COMMIT},
	{"LDS", ASM_SHARED_LOAD},
	{"LDSM", ASM_SHARED_LOAD},
	{"STS", ASM_SHARED_STORE},
	{"STSM", ASM_SHARED_STORE},
	{"FFMA", ASM_FMA},
	{"FFMA2", ASM_FMA},
	{"DFMA", ASM_FMA},
	{"HFMA2", ASM_FMA},
	{"MOV", ASM_MOVE},
	{"PRMT", ASM_MOVE},
	{"F2F", ASM_MOVE},
	{"F2FP", ASM_MOVE},
	{"SEL", ASM_MOVE},
	{"FSEL", ASM_MOVE},
	{"BRA", ASM_BRANCH},
	{"BRX", ASM_BRANCH},
	{"JMP", ASM_BRANCH},
	{"JMX", ASM_BRANCH},
	{"EXIT", ASM_END},
	{"RET", ASM_END},
};

/* Names whose modifiers matter. They are looked at first. */
static const struct {
	const char *begin;
	enum asm_kind kind;
} prefixes[] = {
	{"UBLKCP.S.G", ASM_UBLKCP},
	{"UBLKCP.T.S.G", ASM_UBLKCP},
	{"DEPBAR.LE SB0,", ASM_WAIT},
	{"WARPGROUP.DEPBAR.LE", ASM_MMA_WAIT},
	{"BAR.SYNC", ASM_BARRIER},
	{"BAR.RED", ASM_BARRIER},
	{"SYNCS.PHASECHK", ASM_CHECK},
	{"SYNCS.EXCH", ASM_INIT},
	{"SYNCS.ARRIVE", ASM_ARRIVE},
	{"ATOMS.ARRIVE", ASM_ARRIVE},
	{"ARRIVES.LDGSTSBAR", ASM_ARRIVE_COPY},
	{"IMAD.MOV", ASM_MOVE},
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Whether a name among `length` characters ends in MMA. */
static bool is_mma(const char *name, size_t length)
{
	return length > 3 && memcmp(name + length - 3, "MMA", 3) == 0;
}

/* HFMA2 of zeros brings a constant. */
static bool is_constant_by_fma(const char *operands)
{
	return strstr(operands, "-RZ, RZ") != NULL;
}

static enum asm_kind kind_of_name(const char *name, size_t length, const char *operands)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (begins(name, prefixes[i].begin))
			return prefixes[i].kind;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i].name) == length && memcmp(name, kinds[i].name, length) == 0)
			return kinds[i].kind == ASM_FMA && is_constant_by_fma(operands) ? ASM_OTHER : kinds[i].kind;
	if (is_mma(name, length))
		return strstr(operands, "gdesc[") ? ASM_MMA_SHARED : ASM_MMA;
	return ASM_OTHER;
}

/* Of the name with its modifiers, which ends at `end`. */
static int bytes_of(const char *name, const char *end)
{
	static const struct {
		const char *modifier;
		int bytes;
	} widths[] = {{".256", 32}, {".128", 16}, {".64", 8}, {".U8", 1}, {".S8", 1}, {".U16", 2}, {".S16", 2}};

	for (const char *at = name; at < end; at++)
		for (size_t i = 0; i < sizeof(widths) / sizeof(*widths) && *at == '.'; i++) {
			size_t length = strlen(widths[i].modifier);

			if (strncmp(at, widths[i].modifier, length) == 0 && !isalnum((unsigned char)at[length]))
				return widths[i].bytes;
		}
	return 4;
}

int asm_registers_of(int bytes)
{
	return bytes <= 4 ? 1 : bytes / 4;
}

/* The number behind the last comma. */
static int last_number(const char *operands)
{
	const char *comma = strchr(operands, ',');
	char *end;
	long value;

	if (!comma)
		return -1;
	value = strtol(comma + 1, &end, 0);
	return end == comma + 1 || value < 0 || value > 1000 ? -1 : (int)value;
}

static const char *skip_predicate(const char *text, bool *is_predicated, bool *is_never)
{
	*is_predicated = *is_never = false;
	text += strspn(text, " \t{");
	if (*text != '@')
		return text;
	*is_predicated = true;
	*is_never = begins(text, "@!PT") || begins(text, "@!UPT");
	text += strcspn(text, " \t");
	return text + strspn(text, " \t");
}

/* The register at the begin of the operands. */
static void read_destination(struct asm_op *out)
{
	const char *at = out->operands;
	int bytes = out->bytes;

	out->to = ASM_NO_REGISTER;
	out->to_registers = 0;
	if (*at != 'R' || !isdigit((unsigned char)at[1]))
		return;
	out->to = asm_next_register(&at);
	if (out->kind == ASM_MMA || out->kind == ASM_MMA_SHARED)
		bytes = 16;
	else if (strstr(out->name, ".WIDE") && strstr(out->name, ".WIDE") < out->operands)
		bytes = 8;
	out->to_registers = asm_registers_of(bytes);
}

void asm_decode(const char *text, struct asm_op *out)
{
	bool is_predicated, is_never;
	const char *name = skip_predicate(text, &is_predicated, &is_never);
	size_t length = strcspn(name, " \t"), base = strcspn(name, ". \t");
	const char *operands = name + length;

	operands += strspn(operands, " \t");
	*out = (struct asm_op){.name = name, .operands = operands, .number = -1};
	out->kind = is_never ? ASM_NEVER : kind_of_name(name, base, operands);
	out->bytes = bytes_of(name, name + length);
	read_destination(out);
	if (out->kind == ASM_WAIT || out->kind == ASM_MMA_WAIT)
		out->number = last_number(operands);
	if (out->kind == ASM_BRANCH) {
		out->is_conditional =
			is_predicated || (*operands != '`' && !begins(name, "BRX") && !begins(name, "JMX"));
		out->is_election = begins(name, "BRA.U.ANY");
	}
	if (out->kind == ASM_END)
		out->is_conditional = is_predicated;
}

/* Registers of a warp (UR) and predicates are passed over. */
int asm_next_register(const char **at)
{
	const char *text = *at;

	while (*text != '\0') {
		bool is_inside = text != *at && (isalnum((unsigned char)text[-1]) || text[-1] == '_');

		if (*text == 'R' && !is_inside && isdigit((unsigned char)text[1])) {
			long number = strtol(text + 1, (char **)at, 10);

			if (number < ASM_REGISTERS)
				return (int)number;
			text = *at;
		} else {
			text++;
		}
	}
	*at = text;
	return ASM_NO_REGISTER;
}
