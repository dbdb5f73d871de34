/* elf.c: see elf.h. */
#include "record/plugin/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "util/file/file.h"

/* The machine number in the head of every file that this system runs; 0 for a processor that is not known here. */
#if defined __x86_64__
enum { OWN_MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { OWN_MACHINE = EM_AARCH64 };
#else
enum { OWN_MACHINE = 0 };
#endif

/* Either the path is wrong, or the system is short of something; errno tells which. */
static int cannot_read(struct error *err)
{
	if (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP || errno == ENAMETOOLONG)
		return error_set(err, "%s", file_open_error(errno));
	return error_system(err, "%s", strerror(errno));
}

static int elf_read_head(const char *path, Elf64_Ehdr *head, struct error *err)
{
	struct stat info;
	FILE *file;
	size_t n;

	/* A pipe would be waited for. */
	if (stat(path, &info) < 0)
		return cannot_read(err);
	if (!S_ISREG(info.st_mode))
		return error_set(err, "it is no shared object, not even a file");
	file = fopen(path, "rbe");
	if (!file)
		return cannot_read(err);
	n = fread(head, 1, sizeof(*head), file);
	fclose(file);
	if (n < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
		return error_set(err, "it is no shared object: give what nvcc -shared has made");
	return 0;
}

static const char *machine_name(unsigned machine)
{
	switch (machine) {
	case EM_X86_64:
		return "x86_64";
	case EM_AARCH64:
		return "aarch64";
	case EM_386:
		return "i386";
	case EM_ARM:
		return "arm";
	case EM_PPC64:
		return "ppc64";
	case EM_RISCV:
		return "riscv";
	case EM_CUDA:
		return "a GPU (a cubin)";
	default:
		return "another processor";
	}
}

int plugin_elf_check(const char *path, struct error *err)
{
	struct utsname here;
	Elf64_Ehdr head;

	if (elf_read_head(path, &head, err) < 0)
		return -1;
	if (OWN_MACHINE != 0 && (head.e_machine != OWN_MACHINE || head.e_ident[EI_CLASS] != ELFCLASS64))
		return error_set(err, "it is built for %s, this dbprof for %s: build it on this machine",
			machine_name(head.e_machine), uname(&here) == 0 ? here.machine : "another processor");
	if (head.e_type == ET_REL)
		return error_set(err, "it is an object file, not a shared object: link it with nvcc -shared");
	if (head.e_type != ET_DYN)
		return error_set(err, "it is no shared object: build it with nvcc -shared");
	return 0;
}
