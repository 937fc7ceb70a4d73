/* libtcod.cpp: the A* of libtcod, the toolkit for roguelikes. Over its own map it passes between two blocked cells
 * that touch at a corner; to forbid that, one gives it a function that says what a step costs. */
#include "problems.h"

#include <libtcod/fov.h>
#include <libtcod/path.h>

static float step_cost(int x, int y, int to_x, int to_y, void *map)
{
    return static_cast<Map *>(map)->may_step(x, y, to_x - x, to_y - y) ? 1.0f : 0.0f;
}

class Libtcod {
  public:
    explicit Libtcod(Map &map)
    {
        const float diagonal = 1.41421356f;
        if (!map.cut_corners) {
            path_ = TCOD_path_new_using_function(map.width, map.height, step_cost, &map, diagonal);
            return;
        }
        map_ = TCOD_map_new(map.width, map.height);
        for (int y = 0; y < map.height; y++)
            for (int x = 0; x < map.width; x++)
                TCOD_map_set_properties(map_, x, y, true, map.is_open(x, y));
        path_ = TCOD_path_new_using_map(map_, diagonal);
    }
    ~Libtcod()
    {
        TCOD_path_delete(path_);
        if (map_) TCOD_map_delete(map_);
    }
    void find(const Problem &p, std::vector<Cell> &path)
    {
        if (!TCOD_path_compute(path_, p.from.x, p.from.y, p.to.x, p.to.y)) return;
        path.push_back(p.from);
        for (int i = 0; i < TCOD_path_size(path_); i++) {
            Cell cell;
            TCOD_path_get(path_, i, &cell.x, &cell.y);
            path.push_back(cell);
        }
    }

  private:
    TCOD_map_t map_ = nullptr;
    TCOD_path_t path_ = nullptr;
};

int main(int argc, char **argv)
{
    return run<Libtcod>(argc, argv);
}
