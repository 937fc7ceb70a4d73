/* replay.c: runs a fuzz target over files, without a fuzzer: replay FILE-OR-FOLDER…
 *
 * So the seed files, and every input that once failed, are tested with every compiler. Each
 * input is copied into memory of just its size, so that a sanitizer sees the first byte
 * read beyond it.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned replayed;

static int replay_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "cannot open %s\n", name);
        return 1;
    }
    size_t size = 0, capacity = 4096;
    uint8_t *data = malloc(capacity);
    for (size_t got; data && (got = fread(data + size, 1, capacity - size, file)) > 0;) {
        size += got;
        if (size == capacity) {
            uint8_t *larger = realloc(data, capacity *= 2);
            if (!larger) free(data);
            data = larger;
        }
    }
    fclose(file);
    uint8_t *exact = data ? malloc(size ? size : 1) : NULL;
    if (!exact) {
        fprintf(stderr, "no memory for %s\n", name);
        free(data);
        return 1;
    }
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    return 0;
}

static int replay_folder(const char *name)
{
    DIR *folder = opendir(name);
    if (!folder) {
        fprintf(stderr, "cannot open %s\n", name);
        return 1;
    }
    int failed = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        int length = snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        failed |= length < 0 || (size_t)length >= sizeof path || replay_file(path);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        if (stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode)) {
            failed |= replay_folder(argv[i]);
        } else {
            failed |= replay_file(argv[i]);
        }
    }
    printf("%u inputs replayed\n", replayed);
    return failed || replayed == 0;
}
