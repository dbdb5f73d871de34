/* kernel-name.c: see kernel-name.h. */
#include "words/contrast/kernel-name.h"

#include <string.h>

#include "util/clip.h"

enum { LONGEST = 60, HEAD = 36, TAIL = 21 };

const char *kernel_name_words(const char *name, char text[KERNEL_NAME_SIZE])
{
	const char *tail = name + strlen(name);

	if (tail - name <= LONGEST) {
		clip_print(text, KERNEL_NAME_SIZE, "%s", name);
		return text;
	}
	tail -= TAIL;
	while ((*tail & 0xC0) == 0x80) /* inside a character of UTF-8 */
		tail++;
	clip_print(text, HEAD + 1, "%s", name);
	clip_append(text, KERNEL_NAME_SIZE, "…%s", tail);
	return text;
}
