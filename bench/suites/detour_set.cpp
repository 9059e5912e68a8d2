// Detour's mesh of saved tiles.

#ifdef FAIRLEAD_HAVE_RECAST

#include "suites/detour_set.h"

#include <cstring>
#include <stdexcept>

namespace fairlead::bench {

namespace {

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

}  // namespace

void load_detour_set(const std::string& set, dtNavMesh& mesh) {
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

}  // namespace fairlead::bench

#endif
