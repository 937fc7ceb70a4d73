// consumer.cpp: the same in C++, with a map in memory read by libcairn-io.
#include <cairn/io.h>
#include <cstdio>
#include <memory>
#include <string>

int main()
{
    const std::string map = "type octile\nheight 4\nwidth 8\nmap\n"
                            "........\n...@@...\n...@@...\n........\n";
    cairn_context *context = nullptr;
    if (cairn_context_create(nullptr, &context) != CAIRN_OK) return 1;
    std::unique_ptr<cairn_context, decltype(&cairn_context_destroy)> owner(context,
                                                                           cairn_context_destroy);

    cairn_grid *grid = nullptr;
    cairn_error error;
    if (cairn_map_parse(context, cairn_bytes{map.data(), map.size()}, &grid, &error) != CAIRN_OK) {
        std::printf("line %u: %s\n", error.line, error.text);
        return 1;
    }
    cairn_owned_path found;
    const cairn_status status = cairn_find_path(grid, cairn_cell{0, 1}, cairn_cell{7, 2}, &found);
    std::printf("%s, %u turning points, length %.2f, version %s\n", cairn_result_text(status),
                found.path.count, found.path.length, cairn_version());
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
    return status == CAIRN_FOUND ? 0 : 1;
}
