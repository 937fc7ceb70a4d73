/* cairn.h: includes all headers of the library. io.h, for files, belongs to a library of its
 * own. */
#ifndef CAIRN_H
#define CAIRN_H

#include "base.h"
#include "callbacks.h"
#include "cells.h"
#include "generate.h"
#include "graph.h"
#include "grid.h"
#include "navigator.h"
#include "obstacles.h"
#include "path.h"
#include "planner.h"
#include "service.h"
#include "space.h"
#include "store.h"
#include "tasks.h"
#include "trace.h"

#endif
