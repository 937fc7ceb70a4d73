/* splay_tree.c: an open list that is a splay tree: a search tree whose root is the entry that was
 * used last.
 *
 * Splaying goes down from the root to the place of an entry. Two steps in the same direction turn
 * that part of the tree, and what lies to the left and to the right of the place is collected in
 * two trees, which become the subtrees of the new root. A push splays to the place of the new
 * entry, and a pop to the least one, O(log n) comparisons amortized; one of them may take O(n), so
 * splaying is done some steps at a time. A state that becomes cheaper is pushed again. Sources:
 * Sleator and Tarjan, "Self-Adjusting Binary Search Trees", 1985 (top-down); lecture slides,
 * "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

static void splay_tree_open(void *list, crn_scratch *scratch)
{
    crn_splay_tree *tree = list;
    crn_strict_open(&tree->strict, scratch);
}

static void splay_tree_close(void *list)
{
    crn_splay_tree *tree = list;
    crn_strict_close(&tree->strict);
}

static cairn_status splay_tree_reset(void *list, const crn_open_range *range)
{
    crn_splay_tree *tree = list;
    (void)range;
    crn_strict_reset(&tree->strict);
    tree->root = 0;
    tree->splaying = false;
    return CAIRN_OK;
}

static void splay_tree_push(void *list, crn_open_entry entry)
{
    crn_splay_tree *tree = list;
    crn_strict_wait(&tree->strict, entry);
}

static void splay_tree_begin(crn_splay_tree *tree, uint32_t target)
{
    tree->target = target;
    tree->splaying = true;
    tree->ends.left = tree->ends.right = 0;
    tree->left = tree->right = &tree->ends;
}

/* Does the place that is sought lie to the left of an item? */
static bool splay_tree_left(crn_splay_tree *tree, const crn_strict_item *item)
{
    if (!tree->target) return true;
    return crn_strict_before(&tree->strict, crn_strict_at(&tree->strict, tree->target), item);
}

/* The root is next to the place: the collected trees become its subtrees, and the new item, if
 * there is one, is put between the root and one of them. `left`: to the left of the root. */
static void splay_tree_finish(crn_splay_tree *tree, bool left)
{
    crn_strict_item *root = crn_strict_at(&tree->strict, tree->root);
    tree->left->right = root->left;
    tree->right->left = root->right;
    root->left = tree->ends.right;
    root->right = tree->ends.left;
    tree->splaying = false;
    if (!tree->target) return;
    crn_strict_item *item = crn_strict_at(&tree->strict, tree->target);
    uint32_t *side = left ? &root->left : &root->right;
    *(left ? &item->left : &item->right) = *side;
    *(left ? &item->right : &item->left) = tree->root;
    *side = 0;
    tree->root = tree->target;
}

/* Adds the root, without what lies beyond the place, to one of the collected trees. */
static void splay_tree_collect(crn_splay_tree *tree, crn_strict_item *root, bool left)
{
    if (left) {
        tree->right->left = tree->root;
        tree->right = root;
        tree->root = root->left;
    } else {
        tree->left->right = tree->root;
        tree->left = root;
        tree->root = root->right;
    }
}

static void splay_tree_step(crn_splay_tree *tree)
{
    crn_strict_item *root = crn_strict_at(&tree->strict, tree->root);
    bool left = splay_tree_left(tree, root);
    uint32_t *down = left ? &root->left : &root->right, number = *down;
    if (!number) {
        splay_tree_finish(tree, left);
        return;
    }
    crn_strict_item *child = crn_strict_at(&tree->strict, number);
    if (splay_tree_left(tree, child) == left) { /* turn: the child comes above the root */
        uint32_t *up = left ? &child->right : &child->left;
        *down = *up;
        *up = tree->root;
        tree->root = number;
        root = child;
        if (!(left ? root->left : root->right)) {
            splay_tree_finish(tree, left);
            return;
        }
    }
    splay_tree_collect(tree, root, left);
}

/* A new item, or the least one if it is not at the root; false if there is nothing to do. */
static bool splay_tree_next(crn_splay_tree *tree)
{
    if (tree->strict.waiting.first) {
        uint32_t number = crn_strict_waited(&tree->strict);
        if (tree->root)
            splay_tree_begin(tree, number);
        else
            tree->root = number;
        return true;
    }
    if (!tree->root || !crn_strict_at(&tree->strict, tree->root)->left) return false;
    splay_tree_begin(tree, 0);
    return true;
}

static bool splay_tree_work(void *list, uint32_t steps)
{
    crn_splay_tree *tree = list;
    for (; steps; steps--) {
        if (tree->splaying)
            splay_tree_step(tree);
        else if (!splay_tree_next(tree))
            return true;
    }
    return false;
}

static bool splay_tree_pop(void *list, uint32_t *state)
{
    crn_splay_tree *tree = list;
    while (!splay_tree_work(list, CRN_OPEN_STEPS)) {
    }
    uint32_t number = tree->root;
    if (!number) return false;
    const crn_strict_item *item = crn_strict_at(&tree->strict, number);
    *state = item->state;
    tree->root = item->right;
    crn_strict_give(&tree->strict, number);
    return true;
}

static size_t splay_tree_bytes(const void *list)
{
    return crn_strict_bytes(&((const crn_splay_tree *)list)->strict);
}

const crn_open_functions crn_open_splay_tree = {.size = sizeof(crn_splay_tree),
                                                .open = splay_tree_open,
                                                .close = splay_tree_close,
                                                .reset = splay_tree_reset,
                                                .push = splay_tree_push,
                                                .pop = splay_tree_pop,
                                                .work = splay_tree_work,
                                                .compares = crn_strict_compares,
                                                .bytes = splay_tree_bytes,
                                                .check = CRN_CHECKED(crn_splay_tree_check)};
