/* fuzz_tiled_xml.c: any bytes as a Tiled map in XML (see fuzz_tiled.h). */
#include "fuzz_tiled.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool json = size && data[0] == '{';
    if (!json) fuzz_tiled(data, size);
    return 0;
}
