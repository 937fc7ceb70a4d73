/* cairn.h: all of the library at once (io.h, for files, is a library of its own). */
#ifndef CAIRN_H
#define CAIRN_H

#include "base.h"
#include "cells.h"
#include "generate.h"
#include "graph.h"
#include "grid.h"
#include "navigator.h"
#include "path.h"
#include "planner.h"
#include "space.h"
#include "store.h"
#include "trace.h"

#endif
