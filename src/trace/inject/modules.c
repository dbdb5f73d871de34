/* modules.c: see modules.h. CUPTI calls from the thread that loads a module, and locks of its own may be held: so the
 * hashes are kept in a list there, and the thread that writes the spool takes them from it. */
#include "trace/inject/modules.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/cubin-kernels.h"
#include "trace/inject/wanted.h"

/* Reading code takes time (about 0.6 s for 1 GiB) and memory until it is written. What is beyond is not read. */
static const uint64_t BYTES_MOST = UINT64_C(1) << 30;
enum { KERNELS_MOST = 200000 };

/* A kernel that was loaded, or a module that was not read. */
struct loaded {
	struct loaded *next;
	uint32_t module;
	uint64_t hash, bytes;
	bool is_kernel;
	char name[];
};

/* A module that is being read. */
struct taking {
	uint32_t module;
	uint64_t bits, hash; /* of the wanted kernels in it, and of the code of one of them */
};

static struct {
	pthread_mutex_t lock;
	struct loaded *first, **last; /* in the order in which they were loaded */
	struct loaded *parents;       /* in a child of fork(): its parent's, which stay */
	uint64_t bytes;               /* of all modules that were read */
	size_t kernels;
	size_t unread; /* modules whose row could not be kept either */
	bool left;     /* modules_leave() was called: to be told */

	struct cupti cupti; /* for its handle and what is found in it */
	CUptiResult (*subscribe)(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user);
	CUptiResult (*unsubscribe)(CUpti_SubscriberHandle subscriber);
	CUptiResult (*enable)(
		uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId id);
	CUpti_SubscriberHandle subscriber; /* ours; NULL: we have left */
} modules = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &modules.first};

static atomic_bool is_asked, is_deaf; /* is_deaf: in a child of fork(), or after we have left */

/* ---- what was loaded ---- */

/* The lock is held. */
static void keep_loaded(uint32_t module, bool is_kernel, const char *name, uint64_t hash, uint64_t bytes)
{
	size_t size = strlen(name) + 1;
	struct loaded *new = malloc(sizeof(*new) + size);

	if (!new) {
		modules.unread++;
		return;
	}
	*new = (struct loaded){.module = module, .hash = hash, .bytes = bytes, .is_kernel = is_kernel};
	memcpy(new->name, name, size);
	*modules.last = new;
	modules.last = &new->next;
}

/* The lock is held. */
static void keep_kernel(void *user, const struct cubin_kernel *kernel)
{
	struct taking *taking = user;
	uint64_t bits = wanted_bits(kernel->name, kernel->hash);

	if (bits != 0)
		taking->hash = kernel->hash;
	taking->bits |= bits;
	if (modules.kernels++ < KERNELS_MOST)
		keep_loaded(taking->module, true, kernel->name, kernel->hash, kernel->bytes);
	else
		modules.unread++;
}

static void take_module(const CUpti_ModuleResourceData *module)
{
	struct taking taking = {.module = module->moduleId};

	pthread_mutex_lock(&modules.lock);
	if (module->cubinSize <= BYTES_MOST - modules.bytes) {
		modules.bytes += module->cubinSize;
		if (!cubin_kernels(module->pCubin, module->cubinSize, keep_kernel, &taking))
			keep_loaded(taking.module, false, "", 0, module->cubinSize);
		wanted_keep(taking.bits, taking.hash, module->pCubin, module->cubinSize);
	} else {
		keep_loaded(taking.module, false, "", 0, module->cubinSize);
	}
	pthread_mutex_unlock(&modules.lock);
}

static void CUPTIAPI on_module(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	const CUpti_ResourceData *resource = data;
	int before = errno;

	(void)user;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED && !atomic_load(&is_deaf) &&
		resource && resource->resourceDescriptor)
		take_module(resource->resourceDescriptor);
	errno = before;
}

/* ---- begin and end ---- */

static bool find_functions(void)
{
	*(void **)&modules.subscribe = dlsym(modules.cupti.handle, "cuptiSubscribe");
	*(void **)&modules.unsubscribe = dlsym(modules.cupti.handle, "cuptiUnsubscribe");
	*(void **)&modules.enable = dlsym(modules.cupti.handle, "cuptiEnableCallback");
	return modules.subscribe && modules.unsubscribe && modules.enable;
}

void modules_listen(const struct cupti *cupti)
{
	CUpti_SubscriberHandle subscriber = NULL;

	modules.cupti = *cupti;
	wanted_read();
	if (!find_functions() || modules.subscribe(&subscriber, on_module, NULL) != CUPTI_SUCCESS)
		return;
	if (modules.enable(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED) !=
		CUPTI_SUCCESS) {
		(void)modules.unsubscribe(subscriber);
		return;
	}
	modules.subscriber = subscriber;
	atomic_store(&is_asked, true);
}

bool modules_asked(void)
{
	return atomic_load(&is_asked);
}

void modules_leave(void)
{
	CUpti_SubscriberHandle ours;

	if (!modules_asked() || atomic_exchange(&is_deaf, true))
		return;
	pthread_mutex_lock(&modules.lock);
	ours = modules.subscriber;
	modules.subscriber = NULL;
	modules.left = true;
	pthread_mutex_unlock(&modules.lock);
	if (ours)
		(void)modules.unsubscribe(ours);
}

CUptiResult CUPTIAPI modules_subscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user)
{
	modules_leave();
	return modules.subscribe(subscriber, callback, user);
}

CUptiResult CUPTIAPI modules_subscribe_v2(
	CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user, void *parameters)
{
	CUptiResult (*subscribe)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *, void *);

	modules_leave();
	*(void **)&subscribe = dlsym(modules.cupti.handle, "cuptiSubscribe_v2");
	return subscribe ? subscribe(subscriber, callback, user, parameters) : CUPTI_ERROR_NOT_SUPPORTED;
}

void modules_forget(void)
{
	atomic_store(&is_deaf, true);
	atomic_store(&is_asked, false);
	/* A thread of the parent may have held it, and the list may be half changed. */
	pthread_mutex_init(&modules.lock, NULL);
	modules.parents = modules.first;
	modules.first = NULL;
	modules.last = &modules.first;
}

/* ---- rows ---- */

static void write_loaded(struct activity *a, const struct loaded *loaded)
{
	char hash[17];
	struct value row[CODE_NUMBER] = {
		[CODE_globalPid] = VALUE_OF_INT(a->pid << 24),
		[CODE_module] = VALUE_OF_INT(loaded->module),
		[CODE_bytes] = VALUE_OF_INT((int64_t)loaded->bytes),
	};

	snprintf(hash, sizeof(hash), "%016" PRIx64, loaded->hash);
	if (loaded->is_kernel) {
		row[CODE_mangledName] = VALUE_OF_TEXT(loaded->name);
		row[CODE_hash] = VALUE_OF_TEXT(hash);
	}
	activity_note(a, TABLE_CODE, row);
}

/* Modules of which not even this is known. */
static void write_unread(struct activity *a)
{
	const struct value row[CODE_NUMBER] = {[CODE_globalPid] = VALUE_OF_INT(a->pid << 24)};

	activity_note(a, TABLE_CODE, row);
}

void modules_write(struct activity *a)
{
	struct loaded *list;
	bool unread;

	if (!modules_asked())
		return;
	pthread_mutex_lock(&modules.lock);
	list = modules.first;
	modules.first = NULL;
	modules.last = &modules.first;
	unread = modules.unread > 0 || modules.left;
	modules.unread = 0;
	modules.left = false;
	pthread_mutex_unlock(&modules.lock);
	while (list) {
		struct loaded *next = list->next;

		write_loaded(a, list);
		free(list);
		list = next;
	}
	if (unread)
		write_unread(a);
}
