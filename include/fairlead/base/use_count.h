// An asset that others point to (a DriveTable under its maps) counts them. Where it would go before they do, or be moved away under
// them, an assertion says so; their pointers would lead nowhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <fairlead/base/assert.h>

namespace fairlead {

template <class Asset>
class UsePointer;

/// A member of the asset. Move only, and only while it is not used.
class UseCount {
  public:
    UseCount() = default;
    UseCount(UseCount&& other) noexcept { other.expect_unused(); }
    UseCount& operator=(UseCount&& other) noexcept {
        expect_unused();
        other.expect_unused();
        return *this;
    }
    UseCount(const UseCount&) = delete;
    UseCount& operator=(const UseCount&) = delete;
    ~UseCount() { expect_unused(); }

  private:
    template <class Asset>
    friend class UsePointer;

    void expect_unused() const {
        FAIRLEAD_ASSERT(users_.load(std::memory_order_acquire) == 0 &&
                        "it must outlive what was made from it, and stay where it is meanwhile");
    }

    mutable std::atomic<std::uint32_t> users_{0};
};

/// A counted pointer to an asset that has `const UseCount& uses() const`. Null after it was moved from.
template <class Asset>
class UsePointer {
  public:
    UsePointer() = default;
    explicit UsePointer(const Asset& asset) : asset_(&asset) {
        asset.uses().users_.fetch_add(1, std::memory_order_relaxed);
    }
    UsePointer(UsePointer&& other) noexcept : asset_(std::exchange(other.asset_, nullptr)) {}
    UsePointer& operator=(UsePointer&& other) noexcept {
        if (this != &other) {
            drop();
            asset_ = std::exchange(other.asset_, nullptr);
        }
        return *this;
    }
    UsePointer(const UsePointer&) = delete;
    UsePointer& operator=(const UsePointer&) = delete;
    ~UsePointer() { drop(); }

    [[nodiscard]] const Asset& operator*() const {
        FAIRLEAD_ASSERT(asset_ != nullptr && "what was moved from has nothing any more");
        return *asset_;
    }
    [[nodiscard]] const Asset* operator->() const { return &**this; }

  private:
    void drop() {
        if (asset_ != nullptr) asset_->uses().users_.fetch_sub(1, std::memory_order_release);
        asset_ = nullptr;
    }

    const Asset* asset_ = nullptr;
};

}  // namespace fairlead
