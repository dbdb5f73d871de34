/* complaint.h: how the library in a traced program tells dbprof that it cannot write a spool: because the disk is full,
 * or because the program runs as another user. A file cannot tell it then, but a datagram to a socket that has no place
 * in the file system can. The socket's name is made from the spools' folder. Between containers with networks of their
 * own the datagram does not arrive, and nothing is heard. */
#ifndef DBPROF_TRACE_INJECT_COMPLAINT_H
#define DBPROF_TRACE_INJECT_COMPLAINT_H

#include "util/error.h"

/* Begins to listen. Returns a descriptor that closes at exec, for close(); or -1: then nothing will be heard. */
int complaint_listen(const char *folder);

/* Sends a complaint, and does not wait. */
void complaint_send(const char *folder, const struct error *what);

/* Takes all complaints that came. Returns their number; the first is in *first, as one line. */
int complaint_take(int fd, struct error *first);

#endif
