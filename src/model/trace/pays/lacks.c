/* lacks.c: what a recording does not tell, so that the estimate rests on an assumption. */
#include "model/recording.h"
#include "model/trace/pays/lacks.h"
#include "store/devices.h"
#include "tree/json.h"

static void note_lack(const struct model *model, const char *id, const char *key, size_t count)
{
	if (count > 0)
		model_note_facts(model, json_pack("{s:s, s:I}", "id", id, key, (json_int_t)count));
}

static void note_sample(const struct model *model, const struct pays_sample *sample)
{
	size_t taken = 0;

	for (size_t s = 0; s < sample->n; s++)
		taken += sample->stretch[s].count;
	if (sample->n > 1)
		model_note_facts(model, json_pack("{s:s, s:I, s:I}", "id", "estimates-of-a-part", "looked_at",
						(json_int_t)taken, "pieces", (json_int_t)model->trace.nwork));
}

/* Records of events that do not say which wait is theirs. */
static size_t waits_without_sync(const struct pays_host *host)
{
	size_t waits = 0;

	for (size_t i = 0; i < host->nevents; i++) {
		if (host->event[i].sync >= 0)
			return 0;
	}
	for (size_t i = 0; host->nevents > 0 && i < host->nsyncs; i++)
		waits += host->sync[i].event >= 0;
	return waits;
}

/* GPUs with work whose copy engines are not told. */
static size_t gpus_without_engines(const struct model *model)
{
	struct rows gpus = rows_all(&model->table[TABLE_GPU]);
	int column = gpu_number_column(&gpus);
	size_t unknown = model->trace.ngpus;

	for (size_t g = 0; g < model->trace.ngpus; g++) {
		for (size_t i = 0; i < gpus.count; i++) {
			if (row_int(&gpus, i, column) != model->trace.gpus[g] || row_null(&gpus, i, GPU_asyncEngines))
				continue;
			unknown--;
			break;
		}
	}
	return unknown;
}

void note_pays_lacks(const struct model *model, const struct pays_sample *sample, const struct pays_host *host,
	const struct pays_phases *phases, const struct pays_lacks *lacks)
{
	note_sample(model, sample);
	if (phases->loops == 0)
		return;
	if (lacks->no_calls)
		model_note_facts(model, json_pack("{s:s}", "id", "loops-without-calls"));
	note_lack(model, "events-by-order", "waits", lacks->joins);
	note_lack(model, "waits-by-time", "waits", lacks->waits);
	note_lack(model, "events-without-sync", "waits", waits_without_sync(host));
	note_lack(model, "engines-unknown", "gpus", gpus_without_engines(model));
	if (rows_all(&model->table[TABLE_STREAM]).count == 0 && rows_all(&model->table[TABLE_CONTEXT]).count == 0)
		model_note_facts(model, json_pack("{s:s}", "id", "streams-unknown"));
	note_lack(model, "pinned-speed-unknown", "copies", phases->pageable_kept);
	note_lack(model, "replay-unlike", "loops", phases->unlike);
}
