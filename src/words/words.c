/* words.c: see words.h. */
#include "words/words.h"

#include "words/advice/advice.h"
#include "words/diagnostics.h"
#include "words/families.h"
#include "words/gpus.h"
#include "words/program.h"
#include "words/several.h"

void words_annotate(json_t *tree)
{
	json_t *recording;
	size_t i;

	json_array_foreach(json_object_get(tree, "recordings"), i, recording)
	{
		words_program(recording);
		words_program_advice(recording);
		words_gpus(recording);
		words_families(recording);
		words_diagnostics(recording);
	}
	words_several(tree);
}
