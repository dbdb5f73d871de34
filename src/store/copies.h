/* copies.h: what the schema's numbers of copies mean: which way the bytes go, and what kind of memory they touch. */
#ifndef DBPROF_STORE_COPIES_H
#define DBPROF_STORE_COPIES_H

#include <stddef.h>

/* Of ENUM_CUDA_MEMCPY_OPER: managed memory that moves when it is touched. */
enum { MIGRATION_IN = 11, MIGRATION_OUT = 12 };

/* Likewise: between two GPUs. */
enum { COPY_PEER = 10 };

enum copy_way { COPY_IN, COPY_OUT, COPY_ELSEWHERE }; /* host to device, device to host, all others */

/* `kind` is of ENUM_CUDA_MEMCPY_OPER; numbers that it lacks go elsewhere. */
enum copy_way copy_way(int kind);

/* The direction of a copy in lower-case words: "host to device", "peer to peer"; "copy" for an unknown kind. */
void direction_words(int kind, char *text, size_t size);

/* Lower-case words for a kind of memory (ENUM_CUDA_MEM_KIND): "pinned". "" for an unknown kind. */
void memory_words(int kind, char *text, size_t size);

/* The kind of memory on the host's side of a copy; of its source, if no side is the host's. */
int copy_memory_kind(int kind, int source, int target);

#endif
