/* communicates.c: what counts as communication, by the names that NCCL and NVSHMEM give their kernels:
 * https://github.com/NVIDIA/nccl (src/device/generate.py), https://github.com/NVIDIA/nvshmem (src/device). */
#include "analyze/communicates.h"

#include <ctype.h>
#include <string.h>

static bool begins_with(const char *name, const char *word)
{
	return strncmp(name, word, strlen(word)) == 0;
}

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether a word of the name, up to its parameters, begins so: "void nvshmemi_transfer<int>(long)". */
static bool has_word(const char *name, const char *word)
{
	for (const char *at = name; *at && *at != '('; at++) {
		if ((at == name || !is_word_character(at[-1])) && begins_with(at, word))
			return true;
	}
	return false;
}

bool kernel_communicates(const char *name)
{
	return name && (has_word(name, "nccl") || has_word(name, "nvshmem"));
}
