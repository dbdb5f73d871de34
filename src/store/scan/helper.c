/* helper.c: see helper.h. */
#include "store/scan/helper.h"

#include <stdlib.h>
#include <string.h>

#include "store/packed/opened.h"
#include "util/alloc.h"

void helpers_allow(struct store *store, size_t n)
{
	if (n <= store->nhelpers)
		return;
	store->helpers = xreallocarray(store->helpers, n, sizeof(*store->helpers));
	memset(store->helpers + store->nhelpers, 0, (n - store->nhelpers) * sizeof(*store->helpers));
	store->nhelpers = n;
}

static void helper_close(struct store *helper)
{
	if (!helper)
		return;
	sqlite3_close(helper->db);
	free(helper);
}

/* By the descriptor: the name may lead to another file by now. */
static int helper_connect(struct store *helper, const struct store *store)
{
	const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
	char *uri = opened_uri(store->fd);
	int rc = sqlite3_open_v2(uri, &helper->db, flags, opened_vfs());

	free(uri);
	if (rc != SQLITE_OK)
		return -1;
	store_distrust(helper);
	return 0;
}

static struct store *helper_open(struct store *store)
{
	struct store *helper = xcalloc(1, sizeof(*helper));

	memcpy(helper->name, store->name, sizeof(helper->name));
	helper->path = store->path;
	helper->length = store->length;
	helper->size = store->size;
	helper->pages = store->pages;
	if (helper_connect(helper, store) == 0) {
		store_share_allowance(helper, store);
		return helper;
	}
	helper_close(helper);
	return NULL;
}

struct store *store_helper(struct store *store, size_t i)
{
	if (!store->helpers[i])
		store->helpers[i] = helper_open(store);
	if (store->helpers[i])
		store->helpers[i]->names = store->names;
	return store->helpers[i];
}

void store_close_helpers(struct store *store)
{
	for (size_t i = 0; i < store->nhelpers; i++)
		helper_close(store->helpers[i]);
	free(store->helpers);
}
