/* fuzz.h: what the fuzz targets share. A target defines LLVMFuzzerTestOneInput(), which returns 0, and dies of what
 * must not be: of a sanitizer, or by fuzz_check(). libFuzzer calls it, or replay.c. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

/* Of libFuzzer: https://llvm.org/docs/LibFuzzer.html */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Dies with `what`, if `good` is false. */
void fuzz_check(bool good, const char *what);

enum { FUZZ_PATH = 400 };

/* Fills in the path of a file in a folder of this process alone, in memory where there is /dev/shm; it is removed at
 * exit. Returns `path`. */
const char *fuzz_path(char path[FUZZ_PATH], const char *name);

/* Writes a file whole. */
void fuzz_write(const char *path, const void *data, size_t size);

/* A copy of the input with a NUL behind it, in a block of its own, so that reading beyond it is found. For free(). */
char *fuzz_text(const uint8_t *data, size_t size);

/* Dies unless the error is one line that says something. */
void fuzz_check_error(const struct error *err);

/* A number that hangs on every byte of the input: for a choice that is always the same for the same input. */
size_t fuzz_hash(const uint8_t *data, size_t size);

/* What is printed goes nowhere from now on; libFuzzer's own lines and those of sanitizers still come. */
void fuzz_silence(void);

#endif
