/* side-words.c: see side-words.h. */
#include "words/contrast/side-words.h"

#include <string.h>

#include "tree/tree.h"

/* A longer command is called by the name of its side: a sentence stays one that can be read. */
enum { COMMAND_MOST = 60 };

/* A command without the folders of its program. One that is quoted stays whole. */
static const char *without_folders(const char *command)
{
	const char *start = command, *end = command + strcspn(command, " '\"");

	for (const char *at = command; at < end; at++)
		if (*at == '/' && at + 1 < end)
			start = at + 1;
	return *end == '\0' || *end == ' ' ? start : command;
}

const char *side_called(const json_t *side)
{
	const char *command = without_folders(tree_text(side, "command")), *name = tree_text(side, "name");

	/* "stages=3" tells more than the command that has it somewhere. */
	return *command && strlen(command) <= COMMAND_MOST && !strchr(name, '=') ? command : name;
}

const char *side_ended_words(const json_t *side)
{
	static const struct {
		const char *ended, *words;
	} all[] = {{"not-started", "not started"}, {"timeout", "ended by dbprof after --timeout"},
		{"output", "ended by dbprof for what it printed"},
		{"stopped", "ended by dbprof, since it was stopped and did not go on"}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(tree_text(side, "ended"), all[i].ended) == 0)
			return all[i].words;
	return "";
}

const json_t *side_named(const json_t *family, const char *name)
{
	return tree_find(json_object_get(family, "sides"), "name", name);
}

const char *verdict_failure(const json_t *verdict)
{
	const json_t *evidence = json_object_get(verdict, "evidence");

	for (size_t i = 0; i < json_array_size(evidence); i++)
		if (json_is_false(json_object_get(json_array_get(evidence, i), "ok")))
			return tree_text(json_array_get(evidence, i), "failure");
	return "";
}

bool verdict_is(const json_t *verdict, const char *word)
{
	return strcmp(tree_text(verdict, "verdict"), word) == 0;
}

const char *verdict_doubt(const json_t *verdict)
{
	const char *failure = verdict_failure(verdict);

	if (!*failure && tree_has(verdict, "doubt"))
		return tree_text(verdict, "doubt");
	return *failure ? failure : "the interval reaches over the edge of what counts as the same";
}
