/* host-calls.c: see host-calls.h. */
#include "model/trace/host-calls.h"

#include <stdio.h>
#include <string.h>

#include "store/texts.h"

static bool name_begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static bool name_copies(const char *name)
{
	if (!name_begins(name, "cu"))
		return false;
	return name_begins(name + (name_begins(name, "cuda") ? 4 : 2), "Memcpy");
}

static uint32_t plain_number(struct texts *texts, const char *name)
{
	const char *version = strstr(name, "_v");
	char plain[128];

	snprintf(plain, sizeof(plain), "%s", name);
	if (name_begins(name, "cuda") && version && (size_t)(version - name) < sizeof(plain))
		plain[version - name] = '\0';
	return texts_number(texts, plain);
}

struct host_call_name host_call_look(struct texts *texts, uint32_t number)
{
	const char *name = texts_text(texts, number);
	struct host_call_name out = {.known = true};

	if (!name)
		return out;
	out.copies = name_copies(name);
	if (!out.copies)
		return out;
	out.blocking = !strstr(name, "Async");
	out.plain = plain_number(texts, name);
	return out;
}
