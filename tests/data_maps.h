/* data_maps.h: the published maps, for tests that read them: CAIRN_DATA names the folder that holds the
 * sets. The maps are not ours, so they are not here. It needs POSIX: define _POSIX_C_SOURCE first.
 */
#ifndef TESTS_DATA_MAPS_H
#define TESTS_DATA_MAPS_H

#include "support.h"

#include <dirent.h>

enum { NAMES = 512 };

static inline int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The names of the maps of a set, sorted; readdir's order is nobody's. */
static inline uint32_t list_maps(const char *folder, char names[NAMES][256])
{
    DIR *dir = opendir(folder);
    uint32_t count = 0;
    if (!dir) return 0;
    for (struct dirent *entry; (entry = readdir(dir)) && count < NAMES;) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".map")) continue;
        snprintf(names[count++], 256, "%s", entry->d_name);
    }
    closedir(dir);
    qsort(names, count, 256, by_name);
    return count;
}

#endif
