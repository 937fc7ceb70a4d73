/* boost.cpp: boost::astar_search over the grid as a compressed sparse row graph. The library's usual call clears the
 * tables of all vertices for each query; here only those that the query before has touched are cleared
 * (astar_search_no_init), which is meant to favour it. The visitor ends the search by an exception, as the library's
 * examples do. */
#include "problems.h"

#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <limits>

using Weight = boost::property<boost::edge_weight_t, double>;
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight>;
using Vertex = Graph::vertex_descriptor;

struct Reached {};

struct Octile : boost::astar_heuristic<Graph, double> {
    Octile(int width, Cell goal) : width_(width), goal_(goal)
    {
    }
    double operator()(Vertex v) const
    {
        int dx = std::abs((int)v % width_ - goal_.x), dy = std::abs((int)v / width_ - goal_.y);
        return std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy);
    }
    int width_;
    Cell goal_;
};

struct Watch : boost::default_astar_visitor {
    Watch(Vertex goal, std::vector<Vertex> *touched) : goal_(goal), touched_(touched)
    {
    }
    void discover_vertex(Vertex v, const Graph &)
    {
        touched_->push_back(v);
    }
    void examine_vertex(Vertex v, const Graph &)
    {
        if (v == goal_) throw Reached();
    }
    Vertex goal_;
    std::vector<Vertex> *touched_;
};

class Boost {
  public:
    explicit Boost(const Map &map) : width_(map.width), graph_(make(map))
    {
        size_t count = boost::num_vertices(graph_);
        parent_.resize(count);
        distance_.assign(count, std::numeric_limits<double>::infinity());
        rank_.resize(count);
        colour_.assign(count, boost::white_color);
    }
    void find(const Problem &p, std::vector<Cell> &path)
    {
        Vertex from = vertex(p.from), to = vertex(p.to);
        for (Vertex v : touched_) {
            distance_[v] = std::numeric_limits<double>::infinity();
            colour_[v] = boost::white_color;
        }
        touched_.clear();
        Octile estimate(width_, p.to);
        distance_[from] = 0;
        rank_[from] = estimate(from);
        parent_[from] = from;
        try {
            boost::astar_search_no_init(
                graph_, from, estimate, Watch(to, &touched_), parent_.data(), rank_.data(),
                distance_.data(), boost::get(boost::edge_weight, graph_), colour_.data(),
                boost::get(boost::vertex_index, graph_), std::less<double>(), std::plus<double>(),
                std::numeric_limits<double>::infinity(), 0.0);
        } catch (const Reached &) {
            for (Vertex v = to;; v = parent_[v]) {
                path.push_back({(int)v % width_, (int)v / width_});
                if (v == from) break;
            }
            std::reverse(path.begin(), path.end());
        }
    }

  private:
    static Graph make(const Map &map)
    {
        std::vector<std::pair<size_t, size_t>> edges;
        std::vector<Weight> weights;
        for (int y = 0; y < map.height; y++) {
            for (int x = 0; x < map.width; x++) {
                if (map.is_open(x, y)) add_steps(map, x, y, edges, weights);
            }
        }
        return Graph(boost::edges_are_sorted, edges.begin(), edges.end(), weights.begin(),
                     (size_t)map.width * (size_t)map.height);
    }
    static void add_steps(const Map &map, int x, int y,
                          std::vector<std::pair<size_t, size_t>> &edges,
                          std::vector<Weight> &weights)
    {
        size_t width = (size_t)map.width, here = (size_t)y * width + (size_t)x;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if ((!dx && !dy) || !map.may_step(x, y, dx, dy)) continue;
                edges.emplace_back(here, (size_t)(y + dy) * width + (size_t)(x + dx));
                weights.push_back(Weight(dx && dy ? std::sqrt(2.0) : 1));
            }
        }
    }
    Vertex vertex(Cell c) const
    {
        return (Vertex)c.y * (Vertex)width_ + (Vertex)c.x;
    }

    int width_;
    Graph graph_;
    std::vector<Vertex> parent_, touched_;
    std::vector<double> distance_, rank_;
    std::vector<boost::default_color_type> colour_;
};

int main(int argc, char **argv)
{
    return run<Boost>(argc, argv);
}
