/* file.h: where the library in the program writes what it times. */
#ifndef DBPROF_CONTRAST_RANGE_FILE_H
#define DBPROF_CONTRAST_RANGE_FILE_H

#include <stdbool.h>

#include "contrast/range/range.h"

/* Records of a thread. They lie in the file: what is written here stays, however the program ends. */
struct range_chunk {
	struct range_record *at;
	unsigned used, room;
};

/* From now on files are made in the folder. False if its name is too long. */
bool range_file_use(const char *folder);

/* Room for more records; a chunk that is not full goes on. False if there is none: then the chunk is empty. */
bool range_file_more(struct range_chunk *chunk);

/* A thread has ended: others may fill its chunk. */
void range_file_give_back(struct range_chunk *chunk);

/* In a child of fork(): it makes a file of its own. */
void range_file_forget(void);

#endif
