/* host.h: which running system this is. Processes of one system see each other's locks, also from container to
 * container. Processes of two systems on one file system need not: locks of folders on NFS and of files on some mounts
 * of Lustre stay local. */
#ifndef DBPROF_UTIL_HOST_H
#define DBPROF_UTIL_HOST_H

#include <stdbool.h>

#define HOST_NONE "00000000" /* the system does not tell */

enum { HOST_DIGITS = 8, HOST_TAIL = 16 };

/* Hexadecimal digits. No other system has them, nor this one after a restart. HOST_NONE where it does not tell. */
void host_digits(char digits[HOST_DIGITS + 1]);

/* Whether `name` ends with HOST_TAIL digits that begin with this system's, and these are not HOST_NONE. */
bool host_made(const char *name);

#endif
