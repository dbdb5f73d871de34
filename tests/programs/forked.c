/* forked.c: for programs that fork beside threads. LeakSanitizer does not look in their children: it would take locks
 * of the allocator that a thread of the parent may have held at the fork, and wait for ever. */
#include <unistd.h>

static pid_t parent;

__attribute__((constructor)) static void know_parent(void)
{
	parent = getpid();
}

/* The sanitizer asks it, see sanitizer/lsan_interface.h. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
	return getpid() != parent;
}
