// consumer.cpp: the same in C++, with a map in memory read by libcairn-io.
#include <cairn/cairn.hpp>
#include <cairn/io.h>
#include <cstdio>
#include <string>

int main()
{
    const std::string map = "type octile\nheight 4\nwidth 8\nmap\n"
                            "........\n...@@...\n...@@...\n........\n";
    cairn::context context;
    cairn_grid *read = nullptr;
    cairn_error error;
    if (cairn_map_parse(context.get(), cairn_bytes{map.data(), map.size()}, &read, &error)) {
        std::printf("line %u: %s\n", error.line, error.text);
        return 1;
    }
    cairn::grid grid(read);
    const cairn::path path = grid.find_path({0, 1}, {7, 2});
    std::printf("%s, %zu turning points, length %.2f, version %s\n",
                cairn_result_text(path.status()), path.size(), path.length(), cairn_version());
    return path ? 0 : 1;
}
