/* plt.c: changes the addresses by which a library calls functions of other libraries (System V ABI: the relocations of
 * its global offset table). See plt.h. */
#include "trace/inject/plt.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { CALL = R_X86_64_JUMP_SLOT, ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { CALL = R_AARCH64_JUMP_SLOT, ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { CALL = -1, ADDRESS = -1 };
#endif

/* The libraries of the process at one time. New ones come at the end of the list. */
struct libraries {
	size_t n;
	unsigned long long adds, subs; /* how many were ever loaded, and unloaded */
};

struct leading {
	const struct detour *detours;
	size_t n;
	uintptr_t not_in;
	bool (*not_named)(const char *path);
	struct libraries whole; /* those that are relocated */
	size_t seen;
	bool done;
	int changed;
};

/* The needed entries of a library's dynamic section. */
struct tables {
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Rela) * calls, *others;
	size_t ncalls, nothers;
	uintptr_t relro, relro_end; /* made read-only after relocation */
};

static struct libraries last;

static bool covers(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && address >= begin && address - begin < part->p_memsz)
			return true;
	}
	return false;
}

/* glibc has made real addresses of those in the dynamic section. */
static void read_dynamic(const ElfW(Dyn) * entry, struct tables *out)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		switch (entry->d_tag) {
		case DT_SYMTAB:
			out->symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
			break;
		case DT_STRTAB:
			out->strings = (const char *)entry->d_un.d_ptr;
			break;
		case DT_JMPREL:
			out->calls = (const ElfW(Rela) *)entry->d_un.d_ptr;
			break;
		case DT_PLTRELSZ:
			out->ncalls = entry->d_un.d_val / sizeof(ElfW(Rela));
			break;
		case DT_RELA:
			out->others = (const ElfW(Rela) *)entry->d_un.d_ptr;
			break;
		case DT_RELASZ:
			out->nothers = entry->d_un.d_val / sizeof(ElfW(Rela));
			break;
		}
	}
}

/* False for a library without relocations by name, such as the one that the kernel brings. */
static bool read_tables(const struct dl_phdr_info *object, struct tables *out)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	*out = (struct tables){0};
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_DYNAMIC)
			read_dynamic((const ElfW(Dyn) *)begin, out);
		/* Rounds as the loader does: the last page is shared with other data, and stays writable. */
		if (part->p_type == PT_GNU_RELRO) {
			out->relro = begin & ~(page - 1);
			out->relro_end = (begin + part->p_memsz) & ~(page - 1);
		}
	}
	return out->symbols && out->strings && (uintptr_t)out->symbols > (uintptr_t)object->dlpi_addr;
}

/* A pointer is written in one step. So a thread that calls meanwhile goes the old way or the new one. */
static bool write_address(const struct tables *tables, void **place, void *function)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)place;
	void *start = (void *)(at & ~(page - 1));
	bool guarded = at >= tables->relro && at < tables->relro_end;

	if (__atomic_load_n(place, __ATOMIC_RELAXED) == function)
		return false;
	if (guarded && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
		return false;
	__atomic_store_n(place, function, __ATOMIC_RELEASE);
	if (guarded)
		(void)mprotect(start, page, PROT_READ);
	return true;
}

static void lead_all(struct leading *leading, const struct dl_phdr_info *object, const struct tables *tables,
	const ElfW(Rela) * relocations, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n is 0 without relocations */
		int type = (int)ELF64_R_TYPE(relocations[i].r_info);
		const char *name = tables->strings + tables->symbols[ELF64_R_SYM(relocations[i].r_info)].st_name;

		if (type != CALL && type != ADDRESS)
			continue;
		for (size_t k = 0; k < leading->n; k++)
			if (strcmp(name, leading->detours[k].name) == 0)
				leading->changed +=
					write_address(tables, (void **)(object->dlpi_addr + relocations[i].r_offset),
						leading->detours[k].function);
	}
}

static int lead_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct leading *leading = user;
	struct tables tables;

	(void)size;
	if (object->dlpi_subs != leading->whole.subs)
		return 1;
	leading->done = true;
	if (leading->seen++ == leading->whole.n)
		return 1;
	if (covers(object, leading->not_in) || leading->not_named(object->dlpi_name) ||
		strstr(object->dlpi_name, "vdso"))
		return 0;
	if (read_tables(object, &tables)) {
		lead_all(leading, object, &tables, tables.calls, tables.ncalls);
		lead_all(leading, object, &tables, tables.others, tables.nothers);
	}
	return 0;
}

static int count_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct libraries *libraries = user;

	(void)size;
	libraries->adds = object->dlpi_adds;
	libraries->subs = object->dlpi_subs;
	if (object->dlpi_adds == last.adds)
		return 1;
	libraries->n++;
	return 0;
}

/* A library is in the list before it is relocated. If we wrote into it then, the loader would overwrite that, or we
 * would make a page read-only that the loader still writes. The loader holds a lock all that time; this waits for it.
 */
static void wait_for_loader(void)
{
	Dl_info info;

	(void)dladdr((const void *)&last, &info);
}

int plt_lead(const struct detour *detours, size_t n, const void *not_in, bool (*not_named)(const char *path))
{
	struct leading leading = {.detours = detours, .n = n, .not_in = (uintptr_t)not_in, .not_named = not_named};

	dl_iterate_phdr(count_object, &leading.whole);
	if (leading.whole.adds == last.adds)
		return 0;
	wait_for_loader();
	dl_iterate_phdr(lead_object, &leading);
	/* If a library was unloaded meanwhile, the others have moved in the list. The next call does the work then. */
	if (leading.done)
		last = leading.whole;
	return leading.changed;
}
