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

const char *host_call_plain(const char *name, char *plain, size_t size)
{
	const char *version = strstr(name, "_v");

	snprintf(plain, size, "%s", name);
	if (name_begins(name, "cuda") && version && (size_t)(version - name) < size)
		plain[version - name] = '\0';
	return plain;
}

struct host_call_name host_call_look(struct texts *texts, uint32_t number)
{
	const char *name = texts_text(texts, number);
	struct host_call_name out = {.known = true};
	char plain[128];

	if (!name)
		return out;
	out.copies = name_copies(name);
	if (!out.copies)
		return out;
	out.blocking = !strstr(name, "Async");
	out.plain = texts_number(texts, host_call_plain(name, plain, sizeof(plain)));
	return out;
}
