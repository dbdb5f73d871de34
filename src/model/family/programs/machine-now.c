/* machine-now.c: see machine-now.h. */
#include "model/family/programs/machine-now.h"

#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

static int by_asm_offset(const void *key, const void *item)
{
	uint64_t offset = ((const struct asm_instruction *)item)->offset, wanted = *(const uint64_t *)key;

	return (wanted > offset) - (wanted < offset);
}

/* So that the loop in which warps were met is the one that is told of. */
static void add_samples(const struct model *model, const struct rows *rows, struct asm_instruction *list, size_t n)
{
	const char *const key[] = {row_string(rows, 0, INSTRUCTION_family), row_string(rows, 0, INSTRUCTION_variant),
		row_string(rows, 0, INSTRUCTION_caseLabel)};
	struct rows stalls = rows_find(&model->table[TABLE_STALL], 3, key);

	for (size_t i = 0; i < stalls.count; i++) {
		uint64_t offset = (uint64_t)row_int(&stalls, i, STALL_offset);
		struct asm_instruction *found = bsearch(&offset, list, n, sizeof(*list), by_asm_offset);

		if (found && row_int(&stalls, i, STALL_samples) > 0)
			found->samples += (uint64_t)row_int(&stalls, i, STALL_samples);
	}
}

/* In the order of offsets, which a stranger's recording need not have: then none, as of a kernel that was cut. The
 * caller frees it. */
static struct asm_instruction *asm_list(const struct rows *rows, size_t *n)
{
	struct asm_instruction *list = xcalloc(rows->count + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < rows->count && rows->count < ASM_INSTRUCTIONS_MOST; i++) {
		const struct asm_instruction one = {
			.offset = (uint64_t)row_int(rows, i, INSTRUCTION_offset),
			.text = row_text(rows, i, INSTRUCTION_text),
			.label = row_text(rows, i, INSTRUCTION_label),
		};

		if (!one.text || (*n > 0 && one.offset <= list[*n - 1].offset)) {
			*n = 0;
			break;
		}
		list[(*n)++] = one;
	}
	return list;
}

static const char *asm_how_name(enum asm_how how)
{
	return how == ASM_SEEN ? "seen" : "inferred";
}

/* Null: unknown. */
static void put_asm_fact(json_t *now, const char *key, struct asm_fact fact)
{
	json_t *object = json_null();

	if (fact.how != ASM_UNKNOWN) {
		object = json_object();
		put_json(object, "value", json_integer((json_int_t)fact.value));
		put_json(object, "how", json_string(asm_how_name(fact.how)));
	}
	put_json(now, key, object);
}

static json_t *now_json_of(const struct asm_kernel *kernel)
{
	static const char *const shapes[] = {
		[ASM_SHAPE_NONE] = "none", [ASM_SHAPE_ROUNDS] = "loop", [ASM_SHAPE_UNROLLED] = "unrolled"};
	bool has_shape = kernel->shape_how != ASM_UNKNOWN, has_way = kernel->way_how != ASM_UNKNOWN;
	json_t *now = json_object();

	put_json(now, "shape", text_json(has_shape ? shapes[kernel->shape] : NULL));
	put_json(now, "way", text_json(has_way ? asm_way_name(kernel->way) : NULL));
	put_json(now, "way_how", text_json(has_way ? asm_how_name(kernel->way_how) : NULL));
	put_asm_fact(now, "ahead", kernel->ahead);
	put_asm_fact(now, "buffers", kernel->buffers);
	put_asm_fact(now, "barriers", kernel->barriers);
	put_asm_fact(now, "mbarriers", kernel->mbarriers);
	put_json(now, "specialised", json_boolean(kernel->is_specialised));
	return now;
}

bool machine_code_read(const struct model *model, const struct rows *rows, struct asm_kernel *out)
{
	size_t n;
	struct asm_instruction *list = asm_list(rows, &n);

	if (n > 0) {
		add_samples(model, rows, list, n);
		asm_read(list, n, out);
	}
	free(list);
	return n > 0;
}

json_t *machine_now_json(const struct model *model, const struct rows *rows)
{
	struct asm_kernel kernel;

	return machine_code_read(model, rows, &kernel) ? now_json_of(&kernel) : json_null();
}
