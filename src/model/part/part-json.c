/* part-json.c: see part-json.h. */
#include "model/part/part-json.h"

#include "model/part/part.h"
#include "store/store.h"
#include "tree/json.h"

static json_t *end_json(int64_t time)
{
	return time == INT64_MIN || time == INT64_MAX ? json_null() : json_integer(time);
}

/* What other threads did while the ranges were open; null if they did nothing. */
static json_t *others_json(const struct part *part)
{
	json_t *object;

	if (!part_has_others(part))
		return json_null();
	object = json_object();
	put_json(object, "kernels", json_integer(part->others.kernels));
	put_json(object, "copies", json_integer(part->others.copies));
	put_json(object, "rest", json_integer(part->others.rest));
	put_json(object, "share", real_json(part_others_share(part)));
	put_json(object, "threads", json_integer(part->others.threads));
	put_json(object, "from_ns", json_integer(part->earliest));
	put_json(object, "to_ns", json_integer(part->latest + 1));
	return object;
}

json_t *other_threads_json(const struct part *part, const struct store *store)
{
	json_t *note;

	if (!part_has_others(part))
		return NULL;
	note = others_json(part);
	put_json(note, "id", json_string("other-threads"));
	put_json(note, "range", text_json(store_redacted_text(store, TABLE_NVTX, NVTX_text, part->wish.range)));
	put_json(note, "estimated", json_boolean(!part_lacks_work(part)));
	return note;
}

json_t *json_of_part(const struct part *part, const struct store *store)
{
	json_t *object;

	if (!part->is_part)
		return NULL;
	object = json_object();
	put_json(object, "from_ns", part->wish.window ? end_json(part->wish.from) : json_null());
	put_json(object, "to_ns", part->wish.window ? end_json(part->wish.to) : json_null());
	put_json(object, "range", text_json(store_redacted_text(store, TABLE_NVTX, NVTX_text, part->wish.range)));
	put_json(object, "every",
		part->wish.range ? json_integer(part->wish.every > 1 ? part->wish.every : 1) : json_null());
	put_json(object, "instances", part->wish.range ? json_integer(part->instances) : json_null());
	put_json(object, "used", part->wish.range ? json_integer(part->used) : json_null());
	put_json(object, "copies", part->wish.range ? json_integer(part->host_copies) : json_null());
	put_json(object, "copies_outside", part->wish.range ? json_integer(part->copies_outside) : json_null());
	put_json(object, "others", others_json(part));
	put_json(object, "chosen", json_boolean(part->chosen));
	put_json(object, "first_ns", part->chosen ? json_integer(part->first) : json_null());
	put_json(object, "last_ns", part->chosen ? json_integer(part->last) : json_null());
	put_json(object, "needs_bytes", json_integer(part->forecast.bytes));
	put_json(object, "free_bytes", json_integer(part->forecast.free));
	return object;
}
