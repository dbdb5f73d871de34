/* tracks.c: see tracks.h. */
#include "export/trace/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "export/state.h"
#include "export/trace/track-names.h"
#include "store/event.h"
#include "util/alloc.h"

/* Ids of a recording have 24 bits: those from here on are nobody's. */
enum { FIRST_FREE_ID = 1 << 24, LANES_MOST = 64, DEPTH_MOST = 128 };

/* No viewer shows more; a stranger's events may each have a process of its own. */
enum { GROUPS_MOST = 10000, TRACKS_MOST = 20000 };

/* What is found by hashing: a group, a track, or an id that is in use. */
enum entry_kind { ENTRY_GROUP, ENTRY_TRACK, ENTRY_PID, ENTRY_TID };

struct entry {
	int64_t key[6]; /* an entry_kind first */
	void *found;    /* NULL: free */
};

struct tracks {
	struct track_names names;
	struct entry *entries;
	size_t n, room; /* room is a power of two */
	int next_id, nprocesses;
	int ngroups, ntracks;
};

/* ---- the table of all that there is ---- */

static size_t tracks_hash(const int64_t *key)
{
	uint64_t x = 0;

	for (int i = 0; i < 6; i++) {
		x = (x ^ (uint64_t)key[i]) * UINT64_C(0x9E3779B97F4A7C15);
		x ^= x >> 32;
	}
	return (size_t)x;
}

static struct entry *tracks_slot(const struct tracks *tracks, const int64_t *key)
{
	for (size_t i = tracks_hash(key);; i++) {
		struct entry *entry = &tracks->entries[i & (tracks->room - 1)];

		if (!entry->found || memcmp(entry->key, key, sizeof(entry->key)) == 0)
			return entry;
	}
}

static void tracks_grow(struct tracks *tracks)
{
	struct tracks larger = {.room = tracks->room ? 2 * tracks->room : 256};

	larger.entries = xcalloc(larger.room, sizeof(*larger.entries));
	for (size_t i = 0; i < tracks->room; i++) {
		if (tracks->entries[i].found)
			*tracks_slot(&larger, tracks->entries[i].key) = tracks->entries[i];
	}
	free(tracks->entries);
	tracks->entries = larger.entries;
	tracks->room = larger.room;
}

/* What is known under a key, or NULL. */
static void *tracks_look_up(const struct tracks *tracks, const int64_t *key)
{
	return tracks->room ? tracks_slot(tracks, key)->found : NULL;
}

static void tracks_insert(struct tracks *tracks, const int64_t *key, void *thing)
{
	struct entry *entry;

	if (2 * (tracks->n + 1) > tracks->room)
		tracks_grow(tracks);
	entry = tracks_slot(tracks, key);
	memcpy(entry->key, key, sizeof(entry->key));
	entry->found = thing;
	tracks->n++;
}

/* `wanted` if it is an id that nothing else has, else a new one. */
static int take_id(struct tracks *tracks, enum entry_kind kind, int64_t wanted)
{
	const int64_t key[6] = {kind, wanted};

	if (wanted <= 0 || wanted >= FIRST_FREE_ID || tracks_look_up(tracks, key))
		return tracks->next_id++;
	tracks_insert(tracks, key, tracks);
	return (int)wanted;
}

struct tracks *tracks_new(struct export *ex)
{
	struct tracks *tracks = xcalloc(1, sizeof(*tracks));

	tracks->next_id = FIRST_FREE_ID;
	if (track_names_load(&tracks->names, ex->store, ex->err) == 0)
		return tracks;
	tracks_free(tracks);
	return NULL;
}

static void track_free(struct track *track)
{
	for (int i = 0; i < track->nlanes; i++)
		free(track->lanes[i].ends);
	free(track->lanes);
	free(track);
}

static void tracks_group_free(struct group *group)
{
	for (int i = 0; i < RATES; i++)
		running_free(&group->rate[i]);
	free(group);
}

void tracks_free(struct tracks *tracks)
{
	if (!tracks)
		return;
	for (size_t i = 0; i < tracks->room; i++) {
		struct entry *entry = &tracks->entries[i];

		if (entry->found && entry->key[0] == ENTRY_TRACK)
			track_free(entry->found);
		else if (entry->found && entry->key[0] == ENTRY_GROUP)
			tracks_group_free(entry->found);
	}
	free(tracks->entries);
	track_names_free(&tracks->names);
	free(tracks);
}

/* ---- processes, tracks and lanes, made when they are first asked for ---- */

struct group *tracks_group(
	struct export *ex, struct tracks *tracks, enum group_kind kind, int64_t process, int64_t device)
{
	const int64_t key[6] = {ENTRY_GROUP, kind, process, device};
	struct group *group = tracks_look_up(tracks, key), *host = NULL;

	if (group)
		return group;
	if (tracks->ngroups >= GROUPS_MOST && (process != 0 || device != 0))
		return tracks_group(ex, tracks, kind, 0, 0);
	if (kind == GROUP_GPU)
		host = tracks_group(ex, tracks, GROUP_PROCESS, process, 0);
	group = xcalloc(1, sizeof(*group));
	*group = (struct group){.kind = kind, .process = process, .device = device};
	tracks_insert(tracks, key, group);
	tracks->ngroups++;
	group->order = host ? host->order : kind == GROUP_PROCESS ? tracks->nprocesses++ : 0;
	group->pid = take_id(tracks, ENTRY_PID, kind == GROUP_PROCESS ? pid_of(process) : 0);
	tell_group(ex, &tracks->names, group);
	return group;
}

struct group *tracks_next_group(struct tracks *tracks, size_t *at)
{
	while (*at < tracks->room) {
		const struct entry *entry = &tracks->entries[(*at)++];

		if (entry->found && entry->key[0] == ENTRY_GROUP)
			return entry->found;
	}
	return NULL;
}

static struct group *group_of(struct export *ex, struct tracks *tracks, const struct track *key)
{
	switch (key->kind) {
	case TRACK_STREAM:
	case TRACK_WAITS:
		return tracks_group(ex, tracks, GROUP_GPU, key->process, key->device);
	case TRACK_SAMPLED:
		return tracks_group(ex, tracks, GROUP_COUNTERS, 0, key->device);
	default:
		return tracks_group(ex, tracks, GROUP_PROCESS, key->process, 0);
	}
}

/* The track of all events that have none of their own. */
static bool tracks_is_shared(const struct track *track)
{
	return track->process == 0 && track->device == 0 && track->context == 0 && track->id == 0;
}

struct track *tracks_find(struct export *ex, struct tracks *tracks, const struct track *wanted)
{
	const int64_t key[6] = {
		ENTRY_TRACK, wanted->kind, wanted->process, wanted->device, wanted->context, wanted->id};
	struct track *track = tracks_look_up(tracks, key);
	struct group *group;

	if (track)
		return track;
	if (!tracks_is_shared(wanted) && (tracks->ntracks >= TRACKS_MOST || tracks->ngroups >= GROUPS_MOST)) {
		ex->result->together++;
		return tracks_find(ex, tracks, &(struct track){.kind = wanted->kind});
	}
	group = group_of(ex, tracks, wanted);
	track = xmemdup(wanted, sizeof(*wanted));
	track->group = group;
	tracks_insert(tracks, key, track);
	tracks->ntracks++;
	return track;
}

static struct lane *tracks_add_lane(struct export *ex, struct tracks *tracks, struct track *track)
{
	bool own = track->kind == TRACK_CALLS && track->nlanes == 0;
	struct lane *lane;

	track->lanes = xreallocarray(track->lanes, (size_t)track->nlanes + 1, sizeof(*track->lanes));
	lane = &track->lanes[track->nlanes];
	*lane = (struct lane){.start = INT64_MIN, .tid = take_id(tracks, ENTRY_TID, own ? tid_of(track->id) : 0)};
	tell_lane(ex, &tracks->names, track, track->nlanes);
	track->nlanes++;
	return lane;
}

static bool tracks_fits(const struct track *track, struct lane *lane, int64_t start, int64_t end)
{
	/* Only a damaged file's: a time that is a text is sorted as one. */
	if (start < lane->start)
		return false;
	while (lane->depth > 0 && lane->ends[lane->depth - 1] <= start)
		lane->depth--;
	if (lane->depth == 0)
		return true;
	return track->kind <= TRACK_OVERHEAD && lane->depth < DEPTH_MOST && end <= lane->ends[lane->depth - 1];
}

static struct lane *lane_open_in(struct lane *lane, int64_t start, int64_t end)
{
	if (lane->depth == lane->room) {
		lane->room = lane->room ? 2 * lane->room : 4;
		lane->ends = xreallocarray(lane->ends, (size_t)lane->room, sizeof(*lane->ends));
	}
	lane->ends[lane->depth++] = end;
	lane->start = start;
	return lane;
}

struct lane *tracks_place(struct export *ex, struct tracks *tracks, struct track *track, int64_t start, int64_t end)
{
	struct lane *lane = NULL;

	for (int i = 0; i < track->nlanes && !lane; i++)
		lane = tracks_fits(track, &track->lanes[i], start, end) ? &track->lanes[i] : NULL;
	if (!lane && track->nlanes == LANES_MOST)
		return NULL;
	if (!lane)
		lane = tracks_add_lane(ex, tracks, track);
	return lane_open_in(lane, start, end);
}

struct lane *tracks_base(struct export *ex, struct tracks *tracks, struct track *track)
{
	if (track->nlanes == 0)
		tracks_add_lane(ex, tracks, track);
	return &track->lanes[0];
}
