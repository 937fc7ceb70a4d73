/* folder.h: a folder of a test's own. A test program names it in FOLDER before it includes this. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include "support.h"

#include <dirent.h>
#include <unistd.h>

static char folder[] = CAIRN_BINARY_DIR "/" FOLDER "_XXXXXX";

/* The last two names stay valid. */
static inline const char *in_folder(const char *name)
{
    static char path[2][1024];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* How many files there are; removes them if told to. */
static inline uint32_t folder_files(bool take)
{
    DIR *open = opendir(folder);
    uint32_t count = 0;
    for (struct dirent *entry; open && (entry = readdir(open));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        count++;
        if (take) remove(in_folder(entry->d_name));
    }
    if (open) closedir(open);
    return count;
}

static inline int folder_set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_tear_down(void **state)
{
    (void)state;
    folder_files(true);
    return rmdir(folder);
}

#endif
