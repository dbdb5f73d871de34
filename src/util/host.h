/* host.h: which running system this is. Its processes, in containers too, see each other's locks; those of another one,
 * on a file system that both have, need not: locks of folders on NFS, and of files on some mounts of Lustre, stay
 * local. */
#ifndef DBPROF_UTIL_HOST_H
#define DBPROF_UTIL_HOST_H

#include <stdbool.h>

#define HOST_NONE "00000000" /* no system: one that does not tell */

enum { HOST_DIGITS = 8, HOST_TAIL = 16 };

/* Hexadecimal digits that no other system has, nor this one after a restart; HOST_NONE where it does not tell. */
void host_digits(char digits[HOST_DIGITS + 1]);

/* Whether `name` ends with HOST_TAIL digits, of which the first are this system's, and not HOST_NONE. */
bool host_made(const char *name);

#endif
