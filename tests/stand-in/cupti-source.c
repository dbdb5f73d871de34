/*
 * cupti-source.c: code that is loaded, as the stand-in's CUPTI tells a subscriber of it, and its lines.
 *
 * Each kernel is a module: an ELF file with a section .text.NAME of 16 instructions, which do nothing but for a barrier
 * at 0x70; the last one has the number of its code. The instruction at offset o stands in line 10 + o / 16 of
 * stand-in.cu. Where the environment has SOURCE, a line table names that file as well, and nothing else.
 */
#include "cupti-records.h"

#include <cupti_pcsampling.h>
#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	INSTRUCTION = 16,
	CODE_SIZE = 16 * INSTRUCTION,
	BARRIER_AT = 0x70,
	CODE_AT = CODE_SIZE - INSTRUCTION + 4,
	OPERATION_BAR = 0xb1d,
	FIRST_LINE = 10,
	SECTIONS = 4,
	TABLE_MOST = 4200
};

static const char source_file[] = "stand-in.cu", source_folder[] = "/stand-in";

struct module {
	struct module *next;
	const char *kernel;
	int code;
	uint32_t id;
	uint64_t crc;
	uint8_t *cubin;
	size_t size;
};

static struct module *modules;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */

/* ---- modules ---- */

/* FNV-1a: any number does that is another one for another module. */
static uint64_t crc_of(const uint8_t *bytes, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return hash;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	return at + size;
}

/* A line table of DWARF 2 with one folder and one file, and without a program. Returns its size. */
static size_t make_table(uint8_t table[TABLE_MOST])
{
	static const uint8_t settings[] = {1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1}, rest[] = {1, 0, 0, 0};
	const char *source = getenv("SOURCE"), *slash = source == NULL ? NULL : strrchr(source, '/');
	const uint16_t version = 2;
	uint32_t unit, header;
	uint8_t *at = table + 10;

	if (slash == NULL || strlen(source) > TABLE_MOST - 64)
		return 0;
	at = put(at, settings, sizeof settings);
	at = put(at, source, (size_t)(slash - source));
	at = put(at, "\0", 2);
	at = put(at, slash + 1, strlen(slash + 1) + 1);
	at = put(at, rest, sizeof rest);
	unit = (uint32_t)(at - table) - 4;
	header = unit - 6;
	memcpy(table, &unit, sizeof unit);
	memcpy(table + 4, &version, sizeof version);
	memcpy(table + 6, &header, sizeof header);
	return unit + 4;
}

/* The file is header, code, names of sections ("", ".text.NAME", ".shstrtab", ".debug_line"), line table and headers of
 * sections. */
static uint8_t *make_cubin(const char *kernel, int code, size_t *size)
{
	static const char text[] = ".text.", table[] = ".shstrtab\0.debug_line";
	uint8_t lines[TABLE_MOST];
	size_t lines_size = make_table(lines);
	size_t name_size = sizeof text + strlen(kernel), names_size = 1 + name_size + sizeof table;
	size_t names_at = sizeof(Elf64_Ehdr) + CODE_SIZE, lines_at = names_at + names_size;
	size_t headers_at = (lines_at + lines_size + 7) / 8 * 8;
	Elf64_Ehdr elf = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_ehsize = sizeof elf,
		.e_shoff = headers_at,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = 2};
	Elf64_Shdr headers[SECTIONS] = {
		[1] = {.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = sizeof elf, .sh_size = CODE_SIZE},
		[2] = {.sh_name = (Elf64_Word)(1 + name_size),
			.sh_type = SHT_STRTAB,
			.sh_offset = names_at,
			.sh_size = names_size},
		[3] = {.sh_name = (Elf64_Word)(1 + name_size + strlen(table) + 1),
			.sh_type = SHT_PROGBITS,
			.sh_offset = lines_at,
			.sh_size = lines_size},
	};
	uint8_t *cubin = calloc(1, headers_at + sizeof headers);

	if (cubin == NULL)
		abort();
	memcpy(cubin, &elf, sizeof elf);
	cubin[sizeof elf + BARRIER_AT] = OPERATION_BAR & 0xff;
	cubin[sizeof elf + BARRIER_AT + 1] = OPERATION_BAR >> 8;
	memcpy(cubin + sizeof elf + CODE_AT, &code, sizeof code);
	memcpy(cubin + names_at + 1, text, sizeof text - 1);
	memcpy(cubin + names_at + sizeof text, kernel, strlen(kernel));
	memcpy(cubin + names_at + 1 + name_size, table, sizeof table);
	memcpy(cubin + lines_at, lines, lines_size);
	memcpy(cubin + headers_at, headers, sizeof headers);
	*size = headers_at + sizeof headers;
	return cubin;
}

/* The lock is held. */
static struct module *find(const char *kernel, int code)
{
	struct module *module = modules;

	while (module != NULL && (strcmp(module->kernel, kernel) != 0 || module->code != code))
		module = module->next;
	return module;
}

/* The lock is held. */
static struct module *add(const char *kernel, int code)
{
	struct module *module = calloc(1, sizeof *module);

	if (module == NULL)
		abort();
	module->kernel = strdup(kernel);
	module->code = code;
	module->id = modules == NULL ? 1 : modules->id + 1;
	module->cubin = make_cubin(kernel, code, &module->size);
	module->crc = crc_of(module->cubin, module->size);
	module->next = modules;
	modules = module;
	return module;
}

static void tell(const struct module *module)
{
	CUpti_ModuleResourceData what = {
		.moduleId = module->id, .cubinSize = module->size, .pCubin = (const char *)module->cubin};
	const CUpti_ResourceData data = {.resourceDescriptor = &what};

	if (stand_in()->cut_modules)
		what.cubinSize /= 2;
	if (!stand_in()->no_modules)
		callbacks_module(&data);
}

uint64_t source_load(const char *kernel, int code)
{
	struct module *module;
	bool is_new;

	pthread_mutex_lock(&lock);
	module = find(kernel, code);
	is_new = module == NULL;
	if (is_new)
		module = add(kernel, code);
	pthread_mutex_unlock(&lock);
	if (is_new)
		tell(module);
	return module->crc;
}

/* ---- CUPTI: code and lines ---- */

CUptiResult CUPTIAPI cuptiGetCubinCrc(CUpti_GetCubinCrcParams *params)
{
	STAND_IN_CALL(CUptiResult);
	if (params == NULL || params->size != CUpti_GetCubinCrcParamsSize || params->cubin == NULL ||
		params->cubinSize == 0)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->cubinCrc = crc_of(params->cubin, params->cubinSize);
	return CUPTI_SUCCESS;
}

/* The caller frees both names. */
CUptiResult CUPTIAPI cuptiGetSassToSourceCorrelation(CUpti_GetSassToSourceCorrelationParams *params)
{
	uint64_t crc;
	const struct module *module;

	STAND_IN_CALL(CUptiResult);
	if (params == NULL || params->size != CUpti_GetSassToSourceCorrelationParamsSize || params->cubin == NULL ||
		params->cubinSize == 0 || params->functionName == NULL || params->pcOffset >= CODE_SIZE)
		return CUPTI_ERROR_INVALID_PARAMETER;
	crc = crc_of(params->cubin, params->cubinSize);
	pthread_mutex_lock(&lock);
	module = modules;
	while (module != NULL && (strcmp(module->kernel, params->functionName) != 0 || module->crc != crc))
		module = module->next;
	pthread_mutex_unlock(&lock);
	if (module == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->lineNumber = FIRST_LINE + (uint32_t)(params->pcOffset / INSTRUCTION);
	params->fileName = strdup(source_file);
	params->dirName = strdup(source_folder);
	return params->fileName == NULL || params->dirName == NULL ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}
