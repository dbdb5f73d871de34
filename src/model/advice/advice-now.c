/* advice-now.c: what a kernel does as it runs: from its machine code, as it was judged. */
#include "model/advice/advice-parts.h"

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/family/programs/code-lines.h"
#include "model/family/programs/machine-now.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"

static const char *how_word(enum asm_how how)
{
	static const char *const words[] = {
		[ASM_UNKNOWN] = "unknown", [ASM_SEEN] = "seen", [ASM_INFERRED] = "inferred"};

	return words[how];
}

/* {value, how}; takes the reference. */
static json_t *statement_json(json_t *value, enum asm_how how)
{
	json_t *object = json_object();

	put_json(object, "value", value);
	put_json(object, "how", json_string(how_word(how)));
	return object;
}

static json_t *now_copy_json(const struct asm_kernel *kernel)
{
	bool known = kernel->way_how != ASM_UNKNOWN;

	return statement_json(text_json(known ? asm_way_name(kernel->way) : NULL), kernel->way_how);
}

/* As recorded; how it came about the code tells. */
static json_t *stages_json(const struct asm_kernel *kernel, const struct rows *rows, size_t i)
{
	bool known = !row_null(rows, i, ADVICE_now);
	enum asm_how how = !known ? ASM_UNKNOWN : kernel->ahead.how == ASM_SEEN ? ASM_SEEN : ASM_INFERRED;

	return statement_json(known ? json_integer(row_int(rows, i, ADVICE_now)) : json_null(), how);
}

static json_t *loop_json(const struct asm_kernel *kernel, const struct rows *rows, size_t i)
{
	static const char *const shapes[] = {
		[ASM_SHAPE_NONE] = "none", [ASM_SHAPE_ROUNDS] = "loop", [ASM_SHAPE_UNROLLED] = "unrolled"};
	bool known = kernel->shape_how != ASM_UNKNOWN, placed = !row_null(rows, i, ADVICE_loopLast);
	json_t *object = statement_json(text_json(known ? shapes[kernel->shape] : NULL), kernel->shape_how);

	put_json(object, "first", placed ? json_integer(row_int(rows, i, ADVICE_loopFirst)) : json_null());
	put_json(object, "last", placed ? json_integer(row_int(rows, i, ADVICE_loopLast)) : json_null());
	return object;
}

static void append_fact(json_t *list, const char *what, const struct asm_fact *fact)
{
	json_t *object = statement_json(
		fact->how != ASM_UNKNOWN ? json_integer((json_int_t)fact->value) : json_null(), fact->how);

	put_json(object, "what", json_string(what));
	append_json(list, object);
}

static json_t *now_evidence_json(const struct asm_kernel *kernel)
{
	json_t *list = json_array();

	append_fact(list, "ahead", &kernel->ahead);
	append_fact(list, "buffers", &kernel->buffers);
	append_fact(list, "prologue", &kernel->prologue);
	append_fact(list, "copies", &kernel->copies);
	append_fact(list, "bytes", &kernel->bytes);
	append_fact(list, "barriers", &kernel->barriers);
	append_fact(list, "mbarriers", &kernel->mbarriers);
	append_fact(list, "unrolled", &kernel->unrolled);
	return list;
}

json_t *advice_now_json(const struct family_rows *f, const struct rows *rows, size_t i)
{
	struct rows code = code_rows(f->model, f->name, f->single, row_string(rows, i, ADVICE_caseLabel));
	struct asm_kernel kernel = {.shape = ASM_SHAPE_NONE};
	json_t *now = json_object();
	bool known = machine_code_read(f->model, &code, &kernel);

	put_json(now, "copy", now_copy_json(&kernel));
	put_json(now, "stages", stages_json(&kernel, rows, i));
	put_json(now, "loop", loop_json(&kernel, rows, i));
	put_json(now, "evidence", known ? now_evidence_json(&kernel) : json_array());
	put_json(now, "code", known ? machine_now_json(f->model, &code) : json_null());
	return now;
}
