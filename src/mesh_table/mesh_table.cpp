#include <fairlead/mesh/mesh_table.h>

#include <new>
#include <utility>

#include "base/no_memory.h"
#include "mesh_table/table_builder.h"

namespace fairlead {

using mesh::TableData;

namespace {

TableData* new_table(const Allocator& allocator) {
    void* const memory = allocator.allocate(sizeof(TableData), alignof(TableData), allocator.user);
    return memory != nullptr ? new (memory) TableData(allocator) : nullptr;
}

void end_table(TableData* table) {
    if (table == nullptr) return;
    const Allocator allocator = table->points.allocator();
    table->~TableData();
    allocator.release(table, sizeof(TableData), alignof(TableData), allocator.user);
}

}  // namespace

Result<MeshTable> MeshTable::empty(NavMeshSnapshot mesh, const Allocator& allocator) {
    MeshTable made;
    made.data_ = new_table(allocator);
    if (made.data_ == nullptr) return kNoMemory;
    made.mesh_ = std::move(mesh);
    return made;
}

Result<MeshTable> MeshTable::make_from(const mesh::StateData& state, const MeshTableOptions& options) {
    Result<MeshTable> made = empty({}, options.allocator);
    if (!made) return made;
    mesh::TableBuilder builder(state, options, *made->data_);
    const Result<void> built = builder.build();
    if (!built) return built.error();
    return made;
}

Result<MeshTable> MeshTable::make(NavMeshSnapshot mesh, const MeshTableOptions& options) {
    FAIRLEAD_ASSERT(mesh.held());
    Result<MeshTable> made = make_from(mesh->data(), options);
    if (made) made->mesh_ = std::move(mesh);
    return made;
}

Result<void> MeshTable::attach(NavMeshSnapshot mesh) {
    FAIRLEAD_ASSERT(mesh.held());
    if (mesh::surface_digest(mesh->data()) != data_->surface) return Error{ErrorCode::incompatible, -1, 0};
    TableData numbers(data_->points.allocator());
    if (!numbers.number(mesh->data())) return kNoMemory;
    data_->take_numbers(numbers);
    mesh_ = std::move(mesh);
    return {};
}

MeshTableSize MeshTable::size() const {
    return {data_->corners(), data_->legs, data_->sights.size(), data_->labels.entries.size(),
            data_->bytes()};
}

std::uint64_t MeshTable::digest() const { return data_->digest(); }

MeshTable::MeshTable(MeshTable&& other) noexcept
    : mesh_(std::move(other.mesh_)), data_(std::exchange(other.data_, nullptr)) {}

MeshTable& MeshTable::operator=(MeshTable&& other) noexcept {
    if (this != &other) {
        end_table(data_);
        mesh_ = std::move(other.mesh_);
        data_ = std::exchange(other.data_, nullptr);
    }
    return *this;
}

MeshTable::~MeshTable() { end_table(data_); }

}  // namespace fairlead
