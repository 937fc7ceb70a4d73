// cairn.hpp: Cairn for C++17: objects that clean up after themselves. Header only; link the same
// library.
//
//     cairn::context context;
//     cairn::grid grid(context, "......\n.####.\n....#.\n");
//     cairn::space space(grid);
//     cairn::planner planner(space, "jps");
//     cairn::search search(planner);
//     for (cairn_node node : search.find(grid.node(3, 2), grid.node(5, 2))) …
//
// Who owns what? Every object owns one object of the C library. It can be moved, not copied; moved
// from, or made by its default constructor, it is empty. `get` gives the pointer of the C library,
// for everything that is not wrapped here: the classes are thin, and both can be mixed. Objects may
// be destroyed in any order (base.h).
//
// What if something goes wrong? There are two ways, and you choose for each object:
// - A constructor throws cairn::error: a std::runtime_error with the status and the line.
// - The static function `make` with the same arguments throws nothing and returns a
//   cairn::result: the object, or an empty one with the cairn_error.
// Where exceptions are off (-fno-exceptions), constructors call std::abort instead. Everything else
// returns a cairn_status or a value, as in C, and throws nothing. No search throws: a path says why
// there is none.
//
// What may run in parallel? The same as in C (base.h).
#ifndef CAIRN_HPP
#define CAIRN_HPP

#include "cairn.h"

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {

// ---- errors -----------------------------------------------------------------------------

// What a constructor throws.
class error : public std::runtime_error {
  public:
    explicit error(const cairn_error &why)
        : std::runtime_error(why.text[0] ? why.text : cairn_status_text(why.status)), why_(why)
    {
    }
    cairn_status status() const noexcept
    {
        return why_.status;
    }
    std::uint32_t line() const noexcept
    {
        return why_.line;
    } // of a text, from 1; 0 = none

  private:
    cairn_error why_;
};

// What `make` returns: an object, or why there is none.
template <class Object> struct result {
    Object value;
    cairn_error error{};
    explicit operator bool() const noexcept
    {
        return error.status == CAIRN_OK;
    }
};

namespace detail {

// An object of the C library, destroyed once.
template <class Type, void (*Destroy)(Type *)> class handle {
  public:
    Type *get() const noexcept
    {
        return pointer_.get();
    }
    Type *release() noexcept
    {
        return pointer_.release();
    }
    explicit operator bool() const noexcept
    {
        return pointer_ != nullptr;
    }

  protected:
    handle() noexcept = default;
    explicit handle(Type *pointer) noexcept : pointer_(pointer)
    {
    }
    void reset(Type *pointer) noexcept
    {
        pointer_.reset(pointer);
    }

  private:
    struct destroyer {
        void operator()(Type *pointer) const noexcept
        {
            Destroy(pointer);
        }
    };
    std::unique_ptr<Type, destroyer> pointer_;
};

// What a constructor does with the result of `make`.
template <class Object> Object need(result<Object> &&made)
{
    if (made) return std::move(made.value);
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw error(made.error);
#else
    std::abort();
#endif
}

// Calls a function of the C library that creates an object. `create` gets the place for the pointer
// and for the error.
template <class Object, class Type, class Create> result<Object> make(Create create) noexcept
{
    Type *pointer = nullptr;
    result<Object> made;
    made.error.status = create(&pointer, &made.error);
    Object object(pointer); // a planner whose index could not be built goes with it
    if (made) made.value = std::move(object);
    return made;
}

} // namespace detail

// ---- contexts ---------------------------------------------------------------------------

class context : public detail::handle<cairn_context, cairn_context_destroy> {
  public:
    context() : context(cairn_context_defaults())
    {
    }
    explicit context(const cairn_context_options &options) : context(detail::need(make(options)))
    {
    }
    explicit context(cairn_context *owned) noexcept : handle(owned)
    {
    }
    static result<context> make(const cairn_context_options &options) noexcept
    {
        result<context> made{context(nullptr), {}};
        cairn_context *pointer = nullptr;
        made.error.status = cairn_context_create(&options, &pointer);
        made.value = context(pointer);
        return made;
    }
    cairn_memory memory() const noexcept
    {
        return cairn_context_memory(get());
    }
};

// ---- paths ------------------------------------------------------------------------------

// A path as a search gives it: valid until the next call on the search. A range of its nodes.
class path_view {
  public:
    path_view() noexcept : path_{}
    {
        path_.status = CAIRN_INVALID;
    }
    explicit path_view(const cairn_path &path) noexcept : path_(path)
    {
    }
    const cairn_path &get() const noexcept
    {
        return path_;
    }
    cairn_status status() const noexcept
    {
        return path_.status;
    }
    bool found() const noexcept
    {
        return path_.status == CAIRN_FOUND;
    }
    explicit operator bool() const noexcept
    {
        return found();
    }
    bool partial() const noexcept
    {
        return path_.partial;
    }
    cairn_cost cost() const noexcept
    {
        return path_.cost;
    }
    double length() const noexcept
    {
        return path_.length;
    }
    std::size_t size() const noexcept
    {
        return path_.count;
    }
    cairn_node operator[](std::size_t i) const noexcept
    {
        return path_.nodes[i];
    }
    const cairn_node *begin() const noexcept
    {
        return path_.nodes;
    }
    const cairn_node *end() const noexcept
    {
        return path_.nodes + path_.count;
    }

  protected:
    cairn_path path_;
};

// A path of your own, for as long as you like.
class path : public path_view {
  public:
    path() noexcept : owned_{}
    {
    }
    path(const cairn::context &context, const path_view &view) : path()
    {
        result<path> made = make(context.get(), view);
        *this = detail::need(std::move(made));
    }
    explicit path(const cairn_owned_path &owned) noexcept : path_view(owned.path), owned_(owned)
    {
    }
    path(path &&other) noexcept : path_view(other), owned_(std::exchange(other.owned_, {}))
    {
        static_cast<path_view &>(other) = path_view();
    }
    path &operator=(path &&other) noexcept
    {
        std::swap(path_, other.path_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~path()
    {
        cairn_path_free(&owned_);
    }
    static result<path> make(cairn_context *context, const path_view &view) noexcept
    {
        cairn_owned_path owned{};
        result<path> made;
        made.error.status = cairn_path_copy(context, &view.get(), &owned);
        made.value = path(owned);
        return made;
    }

  private:
    cairn_owned_path owned_;
};

// ---- worlds -----------------------------------------------------------------------------

class grid : public detail::handle<cairn_grid, cairn_grid_destroy> {
  public:
    grid() noexcept = default;
    explicit grid(cairn_grid *owned) noexcept : handle(owned)
    {
    }
    grid(const cairn::context &context, std::string_view rows)
        : grid(detail::need(make(context, rows)))
    {
    }
    grid(const cairn::context &context, const cairn_grid_options &options)
        : grid(detail::need(make(context, options)))
    {
    }
    // What is known of another grid (CAIRN_KNOW_...), for partly known worlds.
    static result<grid> known(const grid &truth, uint32_t what, uint8_t terrain = 0) noexcept
    {
        return detail::make<grid, cairn_grid>([&](cairn_grid **out, cairn_error *error) {
            return cairn_grid_known(truth.get(), what, terrain, out, error);
        });
    }
    static result<grid> make(const cairn::context &context, std::string_view rows) noexcept
    {
        return detail::make<grid, cairn_grid>([&](cairn_grid **out, cairn_error *error) {
            return cairn_grid_from_text(context.get(), rows.data(), rows.size(), out, error);
        });
    }
    static result<grid> make(const cairn::context &context,
                             const cairn_grid_options &options) noexcept
    {
        return detail::make<grid, cairn_grid>([&](cairn_grid **out, cairn_error *error) {
            return cairn_grid_create(context.get(), &options, out, error);
        });
    }

    std::uint32_t width() const noexcept
    {
        return cairn_grid_width(get());
    }
    std::uint32_t height() const noexcept
    {
        return cairn_grid_height(get());
    }
    cairn_node node(std::int32_t x, std::int32_t y) const noexcept
    {
        return cairn_grid_node(get(), x, y);
    }
    cairn_cell cell(cairn_node node) const noexcept
    {
        return cairn_grid_cell(get(), node);
    }
    bool is_open(std::int32_t x, std::int32_t y) const noexcept
    {
        return cairn_grid_is_open(get(), x, y);
    }

    // Changes are seen after the commit.
    cairn_status set_open(std::int32_t x, std::int32_t y, bool open) noexcept
    {
        return cairn_grid_set_open(get(), x, y, open);
    }
    cairn_status set_terrain(std::int32_t x, std::int32_t y, std::uint8_t terrain) noexcept
    {
        return cairn_grid_set_terrain(get(), x, y, terrain);
    }
    cairn_status add_link(const cairn_link &link) noexcept
    {
        return cairn_grid_add_link(get(), &link);
    }
    cairn_status commit() noexcept
    {
        return cairn_grid_commit(get());
    }

    // In one call, for an agent with the default profile.
    path find_path(cairn_cell from, cairn_cell to) noexcept
    {
        cairn_owned_path found{};
        cairn_find_path(get(), from, to, &found);
        return path(found);
    }
};

class graph : public detail::handle<cairn_graph, cairn_graph_destroy> {
  public:
    graph() noexcept = default;
    explicit graph(cairn_graph *owned) noexcept : handle(owned)
    {
    }
    graph(const cairn::context &context, const cairn_graph_options &options)
        : graph(detail::need(make(context, options)))
    {
    }
    static result<graph> known(const graph &truth, uint32_t what) noexcept
    {
        return detail::make<graph, cairn_graph>([&](cairn_graph **out, cairn_error *error) {
            return cairn_graph_known(truth.get(), what, out, error);
        });
    }
    static result<graph> make(const cairn::context &context,
                              const cairn_graph_options &options) noexcept
    {
        return detail::make<graph, cairn_graph>([&](cairn_graph **out, cairn_error *error) {
            return cairn_graph_create(context.get(), &options, out, error);
        });
    }

    std::uint32_t node_count() const noexcept
    {
        return cairn_graph_node_count(get());
    }
    cairn_status set_edge_open(cairn_node from, cairn_node to, bool open) noexcept
    {
        return cairn_graph_set_edge_open(get(), from, to, open);
    }
    cairn_status set_weight(cairn_node from, cairn_node to, cairn_cost weight) noexcept
    {
        return cairn_graph_set_weight(get(), from, to, weight);
    }
    cairn_status commit() noexcept
    {
        return cairn_graph_commit(get());
    }
};

// ---- spaces -----------------------------------------------------------------------------

class space : public detail::handle<cairn_space, cairn_space_destroy> {
  public:
    space() noexcept = default;
    explicit space(cairn_space *owned) noexcept : handle(owned)
    {
    }
    explicit space(cairn::grid &grid) : space(detail::need(make(grid)))
    {
    }
    space(cairn::grid &grid, const cairn_profile &profile)
        : space(detail::need(make(grid, profile)))
    {
    }
    explicit space(cairn::graph &graph) : space(detail::need(make(graph)))
    {
    }
    space(const cairn::context &context, const cairn_callbacks &world)
        : space(detail::need(make(context, world)))
    {
    }
    static result<space> make(cairn::grid &grid) noexcept
    {
        return make(grid, cairn_profile_for(grid.get()));
    }
    static result<space> make(cairn::grid &grid, const cairn_profile &profile) noexcept
    {
        return detail::make<space, cairn_space>([&](cairn_space **out, cairn_error *error) {
            return cairn_space_of_grid(grid.get(), &profile, out, error);
        });
    }
    static result<space> make(cairn::graph &graph) noexcept
    {
        return detail::make<space, cairn_space>([&](cairn_space **out, cairn_error *error) {
            return cairn_space_of_graph(graph.get(), out, error);
        });
    }
    static result<space> make(const cairn::context &context, const cairn_callbacks &world) noexcept
    {
        return detail::make<space, cairn_space>([&](cairn_space **out, cairn_error *error) {
            return cairn_space_of_callbacks(context.get(), &world, out, error);
        });
    }

    std::uint32_t node_count() const noexcept
    {
        return cairn_space_node_count(get());
    }
    bool usable(cairn_node node) const noexcept
    {
        return cairn_space_usable(get(), node);
    }
    cairn_reach reachable(cairn_node from, cairn_node to) const noexcept
    {
        return cairn_reachable(get(), from, to);
    }
    // Costs that keep paths away from walls: edits of the grid, for its next commit.
    cairn_status stage_walls(const cairn_walls &walls) noexcept
    {
        return cairn_space_stage_walls(get(), &walls);
    }
};

// ---- planners and searches ---------------------------------------------------------------

// Its index, if it needs one, is built on creation.
class planner : public detail::handle<cairn_planner, cairn_planner_destroy> {
  public:
    planner() noexcept = default;
    explicit planner(cairn_planner *owned) noexcept : handle(owned)
    {
    }
    // `spec` is "astar", "wastar:weight=2", …, or "auto": one that suits the space
    explicit planner(cairn::space &space, const char *spec = "astar")
        : planner(detail::need(make(space, spec)))
    {
    }
    static result<planner> make(cairn::space &space, const char *spec = "astar") noexcept
    {
        return detail::make<planner, cairn_planner>([&](cairn_planner **out, cairn_error *error) {
            cairn_status status = cairn_planner_create(space.get(), spec, out, error);
            return status ? status : cairn_planner_build(*out, nullptr, error);
        });
    }
    // With the index of another planner (cairn_planner_share): "hpa:smooth=rays" beside "hpa".
    planner(cairn::space &space, const char *spec, planner &with)
        : planner(detail::need(make(space, spec, with)))
    {
    }
    static result<planner> make(cairn::space &space, const char *spec, planner &with) noexcept
    {
        return detail::make<planner, cairn_planner>([&](cairn_planner **out, cairn_error *error) {
            cairn_status status = cairn_planner_create(space.get(), spec, out, error);
            return status ? status : cairn_planner_share(*out, with.get(), error);
        });
    }

    // After a commit, if it has an index.
    cairn_status sync() noexcept
    {
        return cairn_planner_sync(get(), nullptr, nullptr);
    }
    cairn_status state() const noexcept
    {
        return cairn_planner_state(get());
    }
    const cairn_algorithm &algorithm() const noexcept
    {
        return *cairn_planner_algorithm(get());
    }
    bool optimal() const noexcept
    {
        return cairn_planner_optimal(get());
    }
};

// One for each thread.
class search : public detail::handle<cairn_search, cairn_search_destroy> {
  public:
    search() noexcept = default;
    explicit search(cairn_search *owned) noexcept : handle(owned)
    {
    }
    explicit search(cairn::planner &planner) : search(detail::need(make(planner)))
    {
    }
    static result<search> make(cairn::planner &planner) noexcept
    {
        return detail::make<search, cairn_search>([&](cairn_search **out, cairn_error *) {
            return cairn_search_create(planner.get(), nullptr, out);
        });
    }

    path_view find(cairn_node from, cairn_node to) noexcept
    {
        cairn_query query{};
        query.from = from;
        query.to = to;
        return find(query);
    }
    path_view find(const cairn_query &query) noexcept
    {
        const cairn_path *path = nullptr;
        cairn_search_find(get(), &query, &path);
        return path ? path_view(*path) : path_view();
    }

    // In slices: begin, step until it is no longer CAIRN_RUNNING, then the result.
    cairn_status begin(const cairn_query &query) noexcept
    {
        return cairn_search_begin(get(), &query);
    }
    cairn_status step(std::uint64_t work) noexcept
    {
        return cairn_search_step(get(), work);
    }
    path_view result_path() noexcept
    {
        const cairn_path *path = nullptr;
        cairn_search_result(get(), &path);
        return path ? path_view(*path) : path_view();
    }

    cairn_cost cost_to(cairn_node node) const noexcept
    {
        return cairn_search_cost_to(get(), node);
    }
    cairn_metrics metrics() const noexcept
    {
        return cairn_search_metrics(get());
    }
};

// ---- navigators --------------------------------------------------------------------------

class navigator : public detail::handle<cairn_navigator, cairn_navigator_destroy> {
  public:
    navigator() noexcept = default;
    explicit navigator(cairn_navigator *owned) noexcept : handle(owned)
    {
    }
    explicit navigator(cairn::planner &planner,
                       const cairn_navigator_options &options = cairn_navigator_defaults())
        : navigator(detail::need(make(planner, options)))
    {
    }
    static result<navigator> make(cairn::planner &planner, const cairn_navigator_options &options =
                                                               cairn_navigator_defaults()) noexcept
    {
        return detail::make<navigator, cairn_navigator>([&](cairn_navigator **out, cairn_error *) {
            return cairn_navigator_create(planner.get(), &options, out);
        });
    }

    cairn_status start(cairn_node from, cairn_node to) noexcept
    {
        return cairn_navigator_start(get(), from, to);
    }
    cairn_status retarget(cairn_node to) noexcept
    {
        return cairn_navigator_retarget(get(), to);
    }
    cairn_status moved(cairn_node at) noexcept
    {
        return cairn_navigator_moved(get(), at);
    }
    // The agent knows the planner's world, and sees `truth` within this range.
    cairn_status set_sensor(const space &truth, uint32_t range) noexcept
    {
        return cairn_navigator_set_sensor(get(), truth.get(), range, nullptr);
    }
    // What the agent does now; its status says whether it has a path.
    cairn_move next() noexcept
    {
        cairn_move move{};
        cairn_navigator_next(get(), &move);
        return move;
    }
    cairn_node at() const noexcept
    {
        return cairn_navigator_at(get());
    }
    cairn_node goal() const noexcept
    {
        return cairn_navigator_goal(get());
    }
    double bound() const noexcept
    {
        return cairn_navigator_bound(get());
    }
};

} // namespace cairn

#endif
