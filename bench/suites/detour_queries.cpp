#include "suites/detour_queries.h"

#ifdef FAIRLEAD_HAVE_RECAST

#include <cmath>
#include <stdexcept>

#include <DetourNavMeshQuery.h>

#include "suites/detour_set.h"

namespace fairlead::bench {

namespace {

constexpr int kPathMax = 8192;
constexpr float kReach[3] = {2.0F, 4.0F, 2.0F};

struct Query {
    dtNavMeshQuery* query = dtAllocNavMeshQuery();
    Query() = default;
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query() { dtFreeNavMeshQuery(query); }
};

}  // namespace

struct DetourQueries::Work {
    DetourMesh mesh;
    Query query;
    dtQueryFilter filter;
    int nodes = 0;
    dtStatus status = 0;
    bool arrived = false;
    dtPolyRef path[kPathMax];
    float straight[3 * kPathMax];
    int corners = 0;
};

DetourQueries::DetourQueries(const std::string& set, int nodes) : work_(std::make_unique<Work>()) {
    load_detour_set(set, *work_->mesh.mesh);
    grow_nodes(nodes);
}
DetourQueries::~DetourQueries() = default;

void DetourQueries::grow_nodes(int nodes) {
    work_->nodes = nodes;
    if (dtStatusFailed(work_->query.query->init(work_->mesh.mesh, nodes)))
        throw std::runtime_error("Detour does not take that many nodes");
}
int DetourQueries::nodes() const { return work_->nodes; }

void DetourQueries::ask(const Vec3& start, const Vec3& goal) {
    Work& w = *work_;
    const auto place = [](const Vec3& p, float* out) {
        out[0] = static_cast<float>(p.x);
        out[1] = static_cast<float>(p.z);
        out[2] = static_cast<float>(-p.y);
    };
    float a[3], b[3], near_a[3], near_b[3];
    place(start, a);
    place(goal, b);
    dtPolyRef from = 0, to = 0;
    w.arrived = false;
    w.corners = 0;
    w.query.query->findNearestPoly(a, kReach, &w.filter, &from, near_a);
    w.query.query->findNearestPoly(b, kReach, &w.filter, &to, near_b);
    if (from == 0 || to == 0) return;
    int steps = 0;
    w.status = w.query.query->findPath(from, to, near_a, near_b, &w.filter, w.path, &steps, kPathMax);
    if (steps == 0) return;
    w.arrived = w.path[steps - 1] == to;
    if (!w.arrived) w.query.query->closestPointOnPoly(w.path[steps - 1], near_b, near_b, nullptr);
    w.query.query->findStraightPath(near_a, near_b, w.path, steps, w.straight, nullptr, nullptr, &w.corners,
                                    kPathMax);
}

bool DetourQueries::arrived() const { return work_->arrived; }
bool DetourQueries::out_of_nodes() const { return dtStatusDetail(work_->status, DT_OUT_OF_NODES); }

double DetourQueries::length() const {
    double sum = 0;
    for (int i = 1; i < work_->corners; ++i) {
        const float* a = work_->straight + 3 * (i - 1);
        const float* b = a + 3;
        const double dx = static_cast<double>(b[0]) - static_cast<double>(a[0]);
        const double dz = static_cast<double>(b[2]) - static_cast<double>(a[2]);
        sum += std::sqrt(dx * dx + dz * dz);
    }
    return sum;
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

struct DetourQueries::Work {};
DetourQueries::DetourQueries(const std::string&, int) {}
DetourQueries::~DetourQueries() = default;
void DetourQueries::grow_nodes(int) {}
int DetourQueries::nodes() const { return 0; }
void DetourQueries::ask(const Vec3&, const Vec3&) {}
bool DetourQueries::arrived() const { return false; }
bool DetourQueries::out_of_nodes() const { return false; }
double DetourQueries::length() const { return 0.0; }

}  // namespace fairlead::bench

#endif
