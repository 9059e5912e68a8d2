// A query that is answered from a table.
#pragma once

#include <fairlead/mesh/query.h>

namespace fairlead {

inline MeshQuery looked_up_in(const MeshTable& table, MeshQuery query) {
    query.table = &table;
    return query;
}

}  // namespace fairlead
