/* history.c: see several.h. Verdicts by date, and which recordings are shown whole. */
#include <stdlib.h>
#include <string.h>

#include "model/several/dates.h"
#include "model/several/gains.h"
#include "model/several/several.h"
#include "tree/json.h"

/* A page of more than this would be long, and its pictures alone take a MB each. */
enum { DETAILED_MOST = 4 };

void put_detailed(json_t *recordings)
{
	size_t n;
	struct dated *list = dated_recordings(recordings, &n);

	for (size_t i = 0; i < n; i++)
		put_json(json_array_get(recordings, list[i].at), "detailed", json_boolean(n - i <= DETAILED_MOST));
	free(list);
}

static json_t *history_recording_json(const struct dated *dated)
{
	json_t *object = json_object();

	put_json(object, "recording", json_integer((json_int_t)dated->at));
	put_json(object, "file", json_incref(json_object_get(dated->recording, "file")));
	put_json(object, "created", json_incref(json_object_get(dated->recording, "created")));
	return object;
}

static bool is_of(const struct dated *dated, const char *gpu)
{
	return dated->families && *gpu && strcmp(dated->gpu, gpu) == 0;
}

/* The history of one GPU, whose recordings these are; `n` of them. */
static json_t *gpu_history_json(const struct dated *list, size_t n)
{
	json_t *object = json_object(), *dates = json_array();

	for (size_t i = 0; i < n; i++)
		append_json(dates, history_recording_json(&list[i]));
	put_json(object, "gpu", text_json(list[0].gpu));
	put_json(object, "recordings", dates);
	put_json(object, "families", gains_json(list, n));
	return object;
}

/* Copies those of `gpu` from the `n` of `all` to `out`; how many. */
static size_t recordings_of_gpu(const struct dated *all, size_t n, const char *gpu, struct dated *out)
{
	size_t taken = 0;

	for (size_t i = 0; i < n; i++)
		if (is_of(&all[i], gpu))
			out[taken++] = all[i];
	return taken;
}

json_t *history_json(const json_t *recordings)
{
	size_t n;
	struct dated *all = dated_recordings(recordings, &n), *one = dated_recordings(recordings, &n);
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		size_t earlier = recordings_of_gpu(all, i, all[i].gpu, one),
		       taken = recordings_of_gpu(all, n, all[i].gpu, one);

		if (earlier == 0 && taken > 1 && is_of(&all[i], all[i].gpu))
			append_json(list, gpu_history_json(one, taken));
	}
	free(all);
	free(one);
	return list;
}
