#include "suites/detour_queries.h"

#ifdef FAIRLEAD_HAVE_RECAST

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

namespace fairlead::bench {

namespace {

constexpr int kPathMax = 8192;
constexpr float kReach[3] = {2.0F, 4.0F, 2.0F};

struct Mesh {
    dtNavMesh* mesh = dtAllocNavMesh();
    Mesh() = default;
    Mesh(const Mesh&) = delete;
    Mesh& operator=(const Mesh&) = delete;
    ~Mesh() { dtFreeNavMesh(mesh); }
};

struct Query {
    dtNavMeshQuery* query = dtAllocNavMeshQuery();
    Query() = default;
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query() { dtFreeNavMeshQuery(query); }
};

class Reader {
  public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) {}
    void read(void* to, std::size_t size) {
        if (size > bytes_.size() - at_) throw std::runtime_error("a set of Detour tiles is cut short");
        std::memcpy(to, bytes_.data() + at_, size);
        at_ += size;
    }
    template <class T>
    T value() {
        T read_value{};
        read(&read_value, sizeof(T));
        return read_value;
    }

  private:
    const std::string& bytes_;
    std::size_t at_ = 0;
};

void load(const std::string& set, dtNavMesh& mesh) {
    Reader reader{set};
    (void)reader.value<std::uint32_t>();  // MSET
    (void)reader.value<int>();            // version
    const int tiles = reader.value<int>();
    const auto params = reader.value<dtNavMeshParams>();
    bool good = dtStatusSucceed(mesh.init(&params));
    for (int i = 0; good && i < tiles; ++i) {
        (void)reader.value<dtTileRef>();
        const int size = reader.value<int>();
        auto* data = static_cast<unsigned char*>(dtAlloc(static_cast<std::size_t>(size), DT_ALLOC_PERM));
        reader.read(data, static_cast<std::size_t>(size));
        good = dtStatusSucceed(mesh.addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr));
    }
    if (!good) throw std::runtime_error("Detour does not take the tiles that it made");
}

}  // namespace

struct DetourQueries::Work {
    Mesh mesh;
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
    load(set, *work_->mesh.mesh);
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
