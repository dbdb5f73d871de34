/* cause.c: see cause.h. model/family/cause.c says which rule speaks. */
#include "words/cause.h"

#include <stdbool.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/cause-facts.h"

#define TAKES "{time.b} per launch against {time.a}"

/* What a rule says; names in braces stand for facts. */
static const struct rule_words {
	const char *rule, *sentence;
	bool because; /* it says why there is no gain */
} sentences[] = {
	{"single_wrong", "{name.a} came out wrong, so its time is not reported", false},
	{"double_wrong", "{name.b} came out wrong, so its time is not reported", false},
	{"overlap_pays",
		"copies and kernels overlap {overlap.b} of the copy time instead of {overlap.a}, so exposed copy falls "
		"from {exposed.a} to {exposed.b}",
		false},
	{"overlap_rose",
		"copies and kernels overlap {overlap.b} of the copy time instead of {overlap.a}, but the copies take "
		"{copies.b} instead of {copies.a}: " TAKES,
		false},
	{"duplex_rose",
		"both copy directions run at once for {duplex.b} instead of {duplex.a}, while kernels overlap "
		"{overlap.b} of the copy time ({overlap.a} in single)",
		false},
	{"idle_changed",
		"kernels overlap {overlap.b} of the copy time ({overlap.a} in single); what changes is the GPU's idle "
		"time, {idle.b} instead of {idle.a}",
		false},
	{"pipelines",
		"kernels overlap {overlap.b} of the copy time ({overlap.a} in single), and exposed copy is {exposed.b} "
		"({exposed.a} in single)",
		false},
	{"fewer_barriers_pay",
		"{fewer barriers} in the compiled code ({barriers.b} instead of {barriers.a}): barrier stalls fall "
		"from {barrier.a} to {barrier.b} of warp time",
		false},
	{"fewer_waits_pay", "warps wait less: {fallen} takes {fallen.b} of warp time instead of {fallen.a}", false},
	{"occupancy_pays", "more warps run at once: achieved occupancy rises from {achieved.a} to {achieved.b}", false},
	{"instructions_pay", "less work: {instructions.b} instructions executed instead of {instructions.a}", false},
	{"traffic_pays", "less traffic: {dram.b} to and from device memory instead of {dram.a}", false},
	{"short_kernels",
		"a launch takes {time.b} ({time.a} in single), of which the kernel itself runs {kernel.b} "
		"({kernel.a}): starting kernels weighs as much as the work; a larger problem tells more",
		false},
	{"footprint_costs",
		"the larger footprint costs time by itself: with the code of {name.a} and the shared memory of "
		"{name.b}, {control} takes {footprint} longer than {name.a}",
		true},
	{"bound", "{unit} is at {unit.b} of peak ({unit.a} in single): waiting less can hardly make this code faster",
		true},
	{"occupancy_costs",
		"fewer warps run at once: achieved occupancy falls from {achieved.a} to {achieved.b}, limited by "
		"{limiter.b}",
		true},
	{"waiting_moved",
		"the waiting only moved: barrier stalls fall from {barrier.a} to {barrier.b} of warp time, but "
		"{risen} rises from {risen.a} to {risen.b}",
		true},
	{"waits_cost", "warps wait longer: {risen} takes {risen.b} of warp time instead of {risen.a}", true},
	{"load_not_hidden",
		"the second buffer does not hide the wait for global memory: warps spend {top.b} of their time in it "
		"({top.a} in single)",
		true},
	{"instructions_cost", "there is more work: {instructions.b} instructions executed instead of {instructions.a}",
		true},
	{"little_to_hide",
		"barriers and waiting for loads took only {barrier.a} and {loads.a} of warp time with one buffer, so "
		"there was little to hide; most goes to {top}: {top.b}",
		true},
	{"barrier_was_cheap",
		"barriers took only {barrier.a} of warp time with one buffer, so there was little to save; most "
		"goes to {top}: {top.b}",
		true},
	{"same_waits", "warps wait for the same thing in both: {top}, {top.b} of warp time ({top.a} in single)", true},
	{"shared_and_occupancy_changed",
		TAKES "; shared memory per block goes from {shared.a} to {shared.b} and occupancy "
		      "from {occupancy.a} to {occupancy.b}, limited by {limiter.b}",
		false},
	{"registers_and_occupancy_changed",
		TAKES "; registers per thread go from {registers.a} to {registers.b} and occupancy "
		      "from {occupancy.a} to {occupancy.b}, limited by {limiter.b}",
		false},
	{"shared_changed_alone",
		TAKES "; shared memory per block goes from {shared.a} to {shared.b}, and occupancy stays at "
		      "{occupancy.b}",
		false},
	{"registers_changed_alone",
		TAKES "; registers per thread go from {registers.a} to {registers.b}, and occupancy stays "
		      "at {occupancy.b}",
		false},
	{"shared_changed", TAKES "; shared memory per block goes from {shared.a} to {shared.b}", false},
	{"registers_changed", TAKES "; registers per thread go from {registers.a} to {registers.b}", false},
	{"same_resources", TAKES " with the same registers and the same shared memory", false},
	{"timed", TAKES "; why is measured by passes that this recording lacks", false},
	{"always", "the recording has no times of both", false},

	/* Added behind another one. */
	{"achieved_fell", "; achieved occupancy falls from {achieved.a} to {achieved.b}", false},
	{"achieved_rose", "; achieved occupancy rises from {achieved.a} to {achieved.b}", false},
	{"achieved_same", "; achieved occupancy is unchanged ({achieved.b})", false},
	{"achieved_known", "; achieved occupancy hardly changes ({achieved.a} to {achieved.b})", false},
	{"instructions_changed", "; instructions executed {instruction change}", false},
};

static const struct rule_words *words_of(const char *rule)
{
	static const struct rule_words unknown = {"", "", false};

	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		if (strcmp(sentences[i].rule, rule) == 0)
			return &sentences[i];
	}
	return &unknown;
}

/* What the verdict says before the rule does. */
static const char *opening(const json_t *contrast, const struct rule_words *words)
{
	const char *verdict = tree_text(contrast, "verdict");

	if (!tree_has(contrast, "single_ns") || !tree_has(contrast, "double_ns"))
		return "";
	if (strcmp(verdict, "slower") == 0 || strcmp(verdict, "same") == 0)
		return words->because ? "no gain, because " : "no gain: ";
	return strcmp(verdict, "unclear") == 0 ? "no clear result: " : "";
}

/* Adds the sentence, with the facts in place of their names. A name that is no fact stays as it is, for tests to see.
 */
static void fill_in(const struct told *told, const char *sentence, char *text, size_t size)
{
	while (*sentence) {
		size_t plain = strcspn(sentence, "{"), name = strcspn(sentence + plain, "}");
		char value[FORMAT_SIZE];

		clip_append(text, size, "%.*s", (int)plain, sentence);
		sentence += plain;
		if (!*sentence)
			return;
		if (cause_fact(told, sentence + 1, name - 1, value))
			clip_append(text, size, "%s", value);
		else
			clip_append(text, size, "%.*s}", (int)name, sentence);
		sentence += name + 1;
	}
}

void cause_words(const json_t *family, const json_t *contrast, char *text, size_t size)
{
	const struct told told = told_of(family, contrast);
	const struct rule_words *words = words_of(tree_text(told.why, "rule"));
	const json_t *also = json_object_get(told.why, "also");

	clip_print(text, size, "%s", opening(contrast, words));
	fill_in(&told, words->sentence, text, size);
	for (size_t i = 0; i < json_array_size(also); i++)
		fill_in(&told, words_of(json_string_value(json_array_get(also, i)))->sentence, text, size);
}
