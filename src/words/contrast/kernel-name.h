/* kernel-name.h: a kernel's name in a sentence. Private to this folder. */
#ifndef DBPROF_WORDS_CONTRAST_KERNEL_NAME_H
#define DBPROF_WORDS_CONTRAST_KERNEL_NAME_H

/* Bytes that hold it. */
enum { KERNEL_NAME_SIZE = 80 };

/* The whole name, or of a long one the begin and the end, which tell templates apart, with an ellipsis between. Returns
 * `text`. */
const char *kernel_name_words(const char *name, char text[KERNEL_NAME_SIZE]);

#endif
