/* sum-up-kernels.c: the kernels of a run. */
#include "contrast/sum-up.h"

#include <stdlib.h>
#include <string.h>

#include "store/enums.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/hash.h"

/* ---- which there are ---- */

void kernels_number(struct summing *summing)
{
	const struct forms *forms = &summing->gather->forms;

	summing->kernel_of_form = xreallocarray(NULL, forms->n + 1, sizeof(*summing->kernel_of_form));
	for (size_t i = 0; i < forms->n; i++) {
		const struct launch_form identity =
			form_identity(&forms->form[i], summing->gather->options->by_function);

		summing->kernel_of_form[i] =
			summing->gather->chosen[i] ? forms_place(&summing->identities, &identity) : NO_FORM;
	}
	summing->out->nkernels = summing->identities.n;
	summing->out->kernels = xcalloc(summing->identities.n + 1, sizeof(*summing->out->kernels));
}

const char *kernel_base(const struct summing *summing, uint32_t kernel)
{
	return texts_text(summing->out->texts, (uint32_t)summing->identities.form[kernel].field[FORM_BASE]);
}

/* ---- what they are ---- */

/* Some recordings do not tell how a kernel is launched. Then it is taken as launched in the usual way. */
static struct launch_form usual_form(const struct launch_form *form)
{
	struct launch_form usual = *form;

	if (usual.field[FORM_LAUNCH_TYPE] == RESOURCE_UNKNOWN)
		usual.field[FORM_LAUNCH_TYPE] = LAUNCH_REGULAR;
	return usual;
}

/* Numbers of texts differ from run to run, texts do not. */
static uint64_t hash_form(const struct texts *texts, const struct launch_form *form)
{
	const char *name = texts_text(texts, (uint32_t)form->field[FORM_NAME]);
	const struct launch_form usual = usual_form(form);
	uint64_t hash = hash_bytes(0, name, strlen(name));

	return hash_bytes(hash, &usual.field[FORM_GRID], (FORM_CODE - FORM_GRID) * sizeof(*usual.field));
}

uint64_t kernel_form_hash(const struct summing *summing, uint32_t form)
{
	const struct launch_form *of = &summing->gather->forms.form[form];

	return hash_bytes(hash_form(summing->out->texts, of), &of->field[FORM_CODE], sizeof(of->field[FORM_CODE]));
}

/* Its mangled name, or else the demangled one. */
static const char *function_of(const struct texts *texts, const struct launch_form *form)
{
	const int64_t symbol = form->field[FORM_SYMBOL];

	return texts_text(texts, (uint32_t)(symbol ? symbol : form->field[FORM_NAME]));
}

static struct launch_kernel described_kernel(const struct texts *texts, const struct launch_form *form)
{
	const int64_t *field = form->field;
	struct launch_kernel kernel = {
		.name = texts_text(texts, (uint32_t)field[FORM_NAME]),
		.base = texts_text(texts, (uint32_t)field[FORM_BASE]),
		.is_graph = field[FORM_GRAPH],
		.registers = field[FORM_REGISTERS],
		.local_bytes = field[FORM_LOCAL],
		.static_shared = field[FORM_STATIC_SHARED],
		.dynamic_shared = field[FORM_DYNAMIC_SHARED],
		.launch_type = field[FORM_LAUNCH_TYPE],
	};

	memcpy(kernel.grid, &field[FORM_GRID], sizeof(kernel.grid));
	memcpy(kernel.block, &field[FORM_BLOCK], sizeof(kernel.block));
	memcpy(kernel.cluster, &field[FORM_CLUSTER], sizeof(kernel.cluster));
	return kernel;
}

/* By form: whether a steady step has a launch of it. For free(). */
static bool *forms_in_steady_steps(const struct summing *summing)
{
	const struct gather *gather = summing->gather;
	bool *steady = xcalloc(gather->forms.n + 1, sizeof(*steady));

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form != NO_FORM && work->step != NO_STEP &&
			summing->out->steps[work->step].left_out == LEFT_NOTHING)
			steady[work->form] = true;
	}
	return steady;
}

/* Forms with other shared memory have the same code: each code counts once. A sum, since forms come in any order. */
static void add_code(struct summing *summing, struct launch_kernel *kernel, const struct launch_form *what)
{
	const struct launch_form key = {
		{[FORM_BASE] = kernel - summing->out->kernels, [FORM_CODE] = what->field[FORM_CODE]}};
	enum codes_known known = (enum codes_known)what->field[FORM_CODES];
	size_t before = summing->codes.n;

	kernel->codes = kernel->forms ? codes_together(kernel->codes, known) : known;
	forms_place(&summing->codes, &key);
	if (summing->codes.n > before)
		kernel->code += (uint64_t)what->field[FORM_CODE];
}

/* Forms stand in the order of first sight, so a kernel is told by its first form. */
static void add_form(struct summing *summing, size_t form)
{
	const struct launch_form *what = &summing->gather->forms.form[form];
	struct launches *out = summing->out;
	struct launch_kernel *kernel = &out->kernels[summing->kernel_of_form[form]];

	if (kernel->forms == 0) {
		size_t launches = kernel->launches;

		summing->form_of_kernel[kernel - out->kernels] = (uint32_t)form;
		*kernel = described_kernel(out->texts, what);
		kernel->function = summing->gather->options->by_function ? function_of(out->texts, what) : NULL;
		kernel->launches = launches;
	}
	add_code(summing, kernel, what);
	kernel->forms++;
	kernel->hash += hash_form(out->texts, what);
}

void kernels_describe(struct summing *summing)
{
	const struct forms *forms = &summing->gather->forms;
	bool *steady = forms_in_steady_steps(summing), *known = xcalloc(summing->out->nkernels + 1, sizeof(*known));

	for (size_t i = 0; i < forms->n; i++) {
		if (!steady[i] || summing->kernel_of_form[i] == NO_FORM)
			continue;
		add_form(summing, i);
		known[summing->kernel_of_form[i]] = true;
	}
	for (size_t i = 0; i < forms->n; i++) {
		if (summing->kernel_of_form[i] != NO_FORM && !known[summing->kernel_of_form[i]])
			add_form(summing, i);
	}
	free(steady);
	free(known);
}

/* ---- the order of kernels ---- */

static void place_kernels_of(const struct launches *out, bool steady, uint32_t *place, uint32_t *next)
{
	for (size_t i = 0; i < out->nsteps; i++) {
		const struct launch_step *step = &out->steps[i];

		for (size_t c = 0; c < step->ncells && (step->left_out == LEFT_NOTHING) == steady; c++) {
			uint32_t *at = &place[out->cells[step->first_cell + c].kernel];

			*at = *at == NO_FORM ? (*next)++ : *at;
		}
	}
}

void kernels_order(struct launches *out)
{
	uint32_t *place = xreallocarray(NULL, out->nkernels + 1, sizeof(*place)), next = 0;
	struct launch_kernel *ordered;

	for (size_t k = 0; k < out->nkernels; k++)
		place[k] = NO_FORM;
	place_kernels_of(out, true, place, &next);
	place_kernels_of(out, false, place, &next);
	ordered = xcalloc((size_t)next + 1, sizeof(*ordered));
	for (size_t k = 0; k < out->nkernels; k++) {
		if (place[k] != NO_FORM)
			ordered[place[k]] = out->kernels[k];
	}
	for (size_t c = 0; c < out->ncells; c++)
		out->cells[c].kernel = place[out->cells[c].kernel];
	free(out->kernels);
	free(place);
	out->kernels = ordered;
	out->nkernels = next;
}
