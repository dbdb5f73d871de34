/* chosen.c: see chosen.h. */
#include "programs/chosen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1, MESSAGE_SIZE = 256 };

void chosen_quit(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(1);
}

void chosen_check(cudaError_t code, const char *what)
{
	if (code != cudaSuccess)
		chosen_quit(what, cudaGetErrorString(code));
}

const struct family *chosen_family(const char *name)
{
	const size_t length = strcspn(name, "/");

	for (int i = 0; i < families_count; i++)
		if (strlen(families[i]->name) == length && strncmp(families[i]->name, name, length) == 0)
			return families[i];
	chosen_quit(name, "there is no such family");
}

const struct variant *chosen_variant(const char *name)
{
	const struct family *family = chosen_family(name);
	const char *slash = strchr(name, '/');

	for (int i = 0; i < family->nvariants && slash; i++)
		if (strcmp(family->variants[i].name, slash + 1) == 0)
			return &family->variants[i];
	chosen_quit(name, "there is no such variant");
}

static void set_parameter(const struct family *family, const char *setting, struct size_case *size)
{
	const size_t length = strcspn(setting, "=");

	for (int i = 0; i < family->nparams; i++)
		if (strlen(family->params[i].name) == length && strncmp(family->params[i].name, setting, length) == 0 &&
			setting[length] == '=') {
			size->value[i] = strtoll(setting + length + 1, NULL, 10);
			return;
		}
	chosen_quit(setting, "there is no such parameter");
}

struct size_case chosen_case(const struct family *family, char **settings, int n)
{
	struct size_case size = family->cases[0];

	for (int i = 0; i < n; i++)
		set_parameter(family, settings[i], &size);
	return size;
}

void *chosen_set_up(const struct family *family, const struct size_case *size)
{
	char message[MESSAGE_SIZE] = "";
	void *state;

	if (family->set_up(size, SEED, &state, message, sizeof(message)) != cudaSuccess)
		chosen_quit(family->name, message);
	return state;
}
