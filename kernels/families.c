/* families.c: the table of kernel families, made from families.def. */
#include "families.h"

#define FAMILY(name) extern const struct family family_##name;
#include "families.def"
#undef FAMILY

const struct family *const families[] = {
#define FAMILY(name) &family_##name,
#include "families.def"
#undef FAMILY
};

const int families_count = (int)(sizeof(families) / sizeof(families[0]));
