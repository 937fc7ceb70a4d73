/* fuzz_tiled_elements.c: any bytes as the elements of a Tiled map that somebody else has parsed:
 * one document, which is the map and all its tilesets too (see fuzz_tiled.h). */
#include "fuzz_tiled.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\1CRNTILED";
    size_t length = sizeof mark - 1;
    char *document = malloc(length + size);
    require(document != NULL);
    memcpy(document, mark, length);
    if (size) memcpy(document + length, data, size);
    fuzz_part map = {document, length + size}, none = {NULL, 0};
    fuzz_tiled_parts(map, map, none);
    free(document);
    return 0;
}
