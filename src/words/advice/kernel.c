/* kernel.c: see kernel.h. */
#include "words/advice/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/now.h"

enum { ADVICE_TEXT_SIZE = 600 };

static bool is_verdict(const json_t *kernel, const char *verdict)
{
	return strcmp(tree_text(kernel, "verdict"), verdict) == 0;
}

static const char *plural_stage(double n)
{
	return n == 1 ? "stage" : "stages";
}

/* ---- the gain ---- */

const json_t *advised_gain(const json_t *kernel)
{
	const json_t *best = json_object_get(kernel, "best");

	return json_is_object(best) ? best : NULL;
}

/* "1.21× (1.15× to 1.28×)" */
static void advised_gain_text(const json_t *gain, char *text, size_t size)
{
	double low = 1 + tree_real(gain, "low"), mid = 1 + tree_real(gain, "mid"), high = 1 + tree_real(gain, "high");
	char value[FORMAT_SIZE], interval[FORMAT_SIZE];

	format_ratio_within(value, sizeof(value), mid, low, high);
	if (isfinite(low) && isfinite(high))
		snprintf(text, size, "%s (%s)", value, format_ratios(interval, sizeof(interval), low, high));
	else
		snprintf(text, size, "%s", value);
}

/* ---- verdict ---- */

static void lacking_text(const json_t *kernel, char *text, size_t size)
{
	static const char *const words[][2] = {{"", "too little was measured"},
		{"machine code", "its machine code is not known"}, {"counters", "it was not counted"},
		{"tiles ahead", "how many of its tiles are under way is not known"},
		{"constants of the machine", "the machine's constants are not known"},
		{"limits of the SMs", "the limits of the SMs are not known"}, {"its loop", "its loop was not found"},
		{"size of a tile", "the size of its tiles is not known"},
		{"a timed launch", "no launch of it was timed"}};
	const char *lacking = tree_text(kernel, "lacking");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		lacking = strcmp(words[i][0], lacking) == 0 ? words[i][1] : lacking;
	clip_print(text, size, "%.300s", lacking);
}

static void unknown_text(const json_t *kernel, char *text, size_t size)
{
	char lacking[ADVICE_TEXT_SIZE];

	lacking_text(kernel, lacking, sizeof(lacking));
	clip_print(text, size, "Unknown: %.400s.", lacking);
}

static void verdict_text(const json_t *kernel, char *text, size_t size)
{
	const json_t *gain = advised_gain(kernel);
	double stages = tree_real(gain, "stages");
	bool probable = json_is_true(json_object_get(kernel, "probable"));
	char value[2 * FORMAT_SIZE];

	advised_gain_text(gain, value, sizeof(value));
	if (is_verdict(kernel, "pays"))
		clip_print(text, size, "%s: %s with %.0f %s.", probable ? "Probably pays" : "Pays", value, stages,
			plural_stage(stages));
	else if (is_verdict(kernel, "does-not") && gain)
		clip_print(text, size, "%s: the best other number of stages, %.0f, gives %s.",
			probable ? "Probably does not pay" : "Does not pay", stages, value);
	else if (is_verdict(kernel, "does-not"))
		clip_print(text, size, "Does not pay.");
	else if (is_verdict(kernel, "too-close"))
		clip_print(text, size, "Too close to tell: %s with %.0f %s.", value, stages, plural_stage(stages));
	else
		unknown_text(kernel, text, size);
}

/* ---- why ---- */

static void because_text(const json_t *kernel, char *text, size_t size)
{
	bool pays = is_verdict(kernel, "pays");
	const json_t *cause = advice_first_cause(json_object_get(kernel, "causes"), pays);

	*text = '\0';
	if (is_verdict(kernel, "unknown"))
		lacking_text(kernel, text, size);
	else if (cause)
		advice_cause_words(cause, pays, text, size);
}

/* Each cause says its own, too. */
static void cause_texts(json_t *kernel)
{
	json_t *causes = json_object_get(kernel, "causes"), *cause;
	char text[ADVICE_TEXT_SIZE];
	size_t i;

	json_array_foreach(causes, i, cause)
	{
		advice_cause_words(cause, is_verdict(kernel, "pays"), text, sizeof(text));
		put_json(cause, "text", text_json(text));
	}
}

/* ---- now ---- */

/* Stands behind what the code says. Triton's number is not that of tiles ahead and one more. */
static void stages_sentence(const json_t *kernel, char *text, size_t size)
{
	const json_t *stages = json_object_get(json_object_get(kernel, "now"), "stages");
	const char *how = strcmp(tree_text(stages, "how"), "inferred") == 0 ? " (inferred)" : "";
	double n = tree_real(stages, "value");

	if (n >= 1 && json_is_true(json_object_get(kernel, "triton")))
		clip_append(text, size, " So num_stages is %.0f%s.", n, how);
	else if (n == 1)
		clip_append(text, size, " So one stage is in flight%s.", how);
	else if (n > 1)
		clip_append(text, size, " So %.0f stages are in flight%s.", n, how);
}

static void now_text(const json_t *kernel, char *text, size_t size)
{
	json_t *code = json_object_get(json_object_get(kernel, "now"), "code");

	machine_now_sentence(code);
	clip_print(text, size, "%s",
		*tree_text(code, "text") ? tree_text(code, "text") : "Its machine code is not known.");
	if (json_is_object(code))
		stages_sentence(kernel, text, size);
}

/* ---- what to do ---- */

/* " at mm.cu:42"; "" if the line is not known. */
static void where_text(const json_t *action, char *text, size_t size)
{
	*text = '\0';
	if (*tree_text(action, "file") && tree_real(action, "line") > 0)
		clip_print(text, size, " at %.200s:%.0f", tree_text(action, "file"), tree_real(action, "line"));
}

static void stages_action(const json_t *kernel, const char *where, double stages, char *text, size_t size)
{
	if (tree_true(kernel, "triton"))
		clip_print(
			text, size, "Take num_stages=%.0f in the loop's tl.range() that loads tiles%s.", stages, where);
	else
		clip_print(text, size, "Keep %.0f %s in flight in the loop that brings tiles%s.", stages,
			stages == 1 ? "tile" : "tiles", where);
}

static void action_text(const json_t *kernel, char *text, size_t size)
{
	const json_t *action = json_object_get(kernel, "action");
	const char *id = tree_text(action, "id");
	double stages = tree_real(advised_gain(kernel), "stages");
	char where[ADVICE_TEXT_SIZE];

	where_text(action, where, sizeof(where));
	*text = '\0';
	if (strcmp(id, "asynchronous-copies") == 0)
		clip_print(text, size, "Copy tiles by cp.async instead of through registers%s, with %.0f stages.",
			where, stages);
	else if (strcmp(id, "load-ahead") == 0)
		clip_print(text, size, "Load the next tile into registers before this one is computed%s.", where);
	else if (strcmp(id, "more-stages") == 0 || strcmp(id, "fewer-stages") == 0)
		stages_action(kernel, where, stages, text, size);
	else if (strcmp(id, "none") == 0)
		clip_print(text, size, "Leave the number of stages as it is.");
	else if (strcmp(id, "try") == 0)
		clip_print(text, size, "Only a measurement tells: try %.0f stages%s.", stages, where);
}

/* ---- a line ---- */

/* "1.21×  add  76.4 %  with 4 stages: warps wait for memory": of a verdict that is none the verdict itself. */
static void advised_line_text(const json_t *kernel, const char *because, char *text, size_t size)
{
	const json_t *gain = advised_gain(kernel);
	char value[FORMAT_SIZE], share[FORMAT_SIZE];
	bool pays = is_verdict(kernel, "pays"), probable = json_is_true(json_object_get(kernel, "probable"));

	format_gain(value, sizeof(value), 1 + tree_real(gain, "mid"));
	format_percent(share, sizeof(share), tree_real(kernel, "share"));
	clip_print(
		text, size, "%-6s %.100s (%s of kernel time): ", pays ? value : "", tree_text(kernel, "label"), share);
	if (pays)
		clip_append(text, size, "%s%.0f stages", probable ? "probably " : "", tree_real(gain, "stages"));
	else
		clip_append(text, size, "%s",
			is_verdict(kernel, "does-not")    ? (probable ? "probably does not pay" : "does not pay")
			: is_verdict(kernel, "too-close") ? "too close to tell"
							  : "unknown");
	if (*because)
		clip_append(text, size, ", because %s", because);
}

void words_advised_kernel(json_t *kernel)
{
	char text[ADVICE_TEXT_SIZE], because[ADVICE_TEXT_SIZE];

	cause_texts(kernel);
	because_text(kernel, because, sizeof(because));
	put_json(kernel, "because", text_json(*because ? because : NULL));
	verdict_text(kernel, text, sizeof(text));
	put_json(kernel, "verdict_text", text_json(text));
	now_text(kernel, text, sizeof(text));
	put_json(kernel, "now_text", text_json(text));
	action_text(kernel, text, sizeof(text));
	put_json(json_object_get(kernel, "action"), "text", text_json(*text ? text : NULL));
	advised_line_text(kernel, because, text, sizeof(text));
	put_json(kernel, "line", text_json(text));
}
