/* host-calls.c: see host-calls.h. */
#include "model/trace/host-calls.h"

#include <stdio.h>
#include <string.h>

#include "store/texts.h"

static bool name_begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Calls that return when the GPU has done all earlier work. Allocating and freeing memory waits too. */
static bool is_wait(const char *name)
{
	static const char *const starts[] = {"StreamSynchronize", "DeviceSynchronize", "ThreadSynchronize",
		"EventSynchronize", "CtxSynchronize", "Malloc", "Free", "HostAlloc", "MemAlloc", "MemFree",
		"MemHostAlloc"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (name_begins(name, starts[i]))
			return !strstr(name, "Async");
	}
	return false;
}

static enum host_call_kind host_call_kind_of(const char *name)
{
	if (name_begins(name, "cuda"))
		name += 4;
	else if (name_begins(name, "cu"))
		name += 2;
	else
		return HOST_CALL_OTHER;
	if (name_begins(name, "Memcpy"))
		return HOST_CALL_COPY;
	if (name_begins(name, "EventRecord"))
		return HOST_CALL_RECORD;
	return is_wait(name) ? HOST_CALL_WAIT : HOST_CALL_OTHER;
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
	out.kind = (uint8_t)host_call_kind_of(name);
	if (out.kind != HOST_CALL_COPY)
		return out;
	out.blocking = !strstr(name, "Async");
	out.plain = plain_number(texts, name);
	return out;
}
