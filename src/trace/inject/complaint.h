/* complaint.h: how the library in a traced program tells dbprof that it cannot write a spool: because the disk is full,
 * or because the program runs as another user. A file cannot tell it then; a datagram to a socket without a place in
 * the file system can. The socket's name is made of the spools' folder. Where it does not get through, as between
 * containers with networks of their own, nothing is heard. */
#ifndef DBPROF_TRACE_INJECT_COMPLAINT_H
#define DBPROF_TRACE_INJECT_COMPLAINT_H

#include "util/error.h"

/* Listens. A descriptor that closes at exec, for close(), or -1: nothing will be heard then. */
int complaint_listen(const char *folder);

/* Sends one, and does not wait. */
void complaint_send(const char *folder, const struct error *what);

/* Takes all that came: their number, the first in *first, as one line. */
int complaint_take(int fd, struct error *first);

#endif
