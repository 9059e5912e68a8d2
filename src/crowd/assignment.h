// Who takes which: the least sum of costs of rows that each take a column of their own, by shortest augmenting paths (Jonker and Volgenant
// 1987). With squares of distances as costs the ways of any two in the plane do not cross, and along a line nobody passes anybody.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/base/array.h>

namespace fairlead::crowd {

/// Rows and columns are counted from 0 outside, from 1 within: 0 is where each path begins.
class Assignment {
  public:
    explicit Assignment(const Allocator& allocator)
        : costs_(allocator),
          row_price_(allocator),
          column_price_(allocator),
          least_(allocator),
          match_(allocator),
          from_(allocator),
          closed_(allocator) {}

    /// Room for them; false: there is no memory.
    [[nodiscard]] bool reserve(std::size_t rows, std::size_t columns) {
        return costs_.reserve(rows * columns) && row_price_.reserve(rows + 1) &&
               column_price_.reserve(columns + 1) && least_.reserve(columns + 1) &&
               match_.reserve(columns + 1) && from_.reserve(columns + 1) && closed_.reserve(columns + 1);
    }
    /// At most as many rows as columns. All costs are to be set then; finite.
    [[nodiscard]] bool begin(std::size_t rows, std::size_t columns) {
        rows_ = rows;
        columns_ = columns;
        return costs_.resize(rows * columns) && row_price_.resize(rows + 1) &&
               column_price_.resize(columns + 1) && least_.resize(columns + 1) &&
               match_.resize(columns + 1) && from_.resize(columns + 1) && closed_.resize(columns + 1);
    }
    [[nodiscard]] double& cost(std::size_t row, std::size_t column) {
        return costs_[row * columns_ + column];
    }

    void solve() {
        for (double& price : row_price_) price = 0.0;
        for (double& price : column_price_) price = 0.0;
        for (std::uint32_t& row : match_) row = 0;
        for (std::uint32_t i = 1; i <= rows_; ++i) augment(i);
    }
    static constexpr std::uint32_t kNoRow = UINT32_MAX;
    /// The row that has a column; kNoRow: none.
    [[nodiscard]] std::uint32_t row_of(std::size_t column) const { return match_[column + 1] - 1; }

  private:
    /// Gives a row a column; others may have to take other ones.
    void augment(std::uint32_t i) {
        match_[0] = i;
        for (std::size_t j = 0; j <= columns_; ++j) {
            least_[j] = std::numeric_limits<double>::infinity();
            closed_[j] = 0;
        }
        std::uint32_t at = 0;
        do {
            closed_[at] = 1;
            const std::uint32_t row = match_[at];
            double delta = std::numeric_limits<double>::infinity();
            std::uint32_t next = 0;
            for (std::uint32_t j = 1; j <= columns_; ++j) {
                if (closed_[j] != 0) continue;
                const double price = cost(row - 1, j - 1) - row_price_[row] - column_price_[j];
                if (price < least_[j]) {
                    least_[j] = price;
                    from_[j] = at;
                }
                if (least_[j] < delta) {
                    delta = least_[j];
                    next = j;
                }
            }
            for (std::size_t j = 0; j <= columns_; ++j) {
                if (closed_[j] != 0) {
                    row_price_[match_[j]] += delta;
                    column_price_[j] -= delta;
                } else {
                    least_[j] -= delta;
                }
            }
            at = next;
        } while (match_[at] != 0);
        for (; at != 0; at = from_[at]) match_[at] = match_[from_[at]];
    }

    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    Array<double> costs_;
    Array<double> row_price_;
    Array<double> column_price_;
    Array<double> least_;
    Array<std::uint32_t> match_;  ///< rows by columns
    Array<std::uint32_t> from_;
    Array<std::uint8_t> closed_;
};

}  // namespace fairlead::crowd
