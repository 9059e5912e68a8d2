// A triangle row by row: its long side, from the lowest corner to the highest, and on the other hand the two short ones.
#pragma once

#include <utility>

#include <fairlead/base/platform.h>
#include <fairlead/raster/soup.h>

namespace fairlead::raster {

/// A point of a line of constant y.
struct LinePoint {
    double x, z;

    friend LinePoint operator-(LinePoint a, LinePoint b) { return {a.x - b.x, a.z - b.z}; }
    friend LinePoint operator+(LinePoint a, LinePoint b) { return {a.x + b.x, a.z + b.z}; }
    friend LinePoint operator*(double f, LinePoint a) { return {f * a.x, f * a.z}; }
    friend LinePoint operator/(LinePoint a, double f) { return {a.x / f, a.z / f}; }
};

/// A side of a triangle from its lower end to its upper one, so that two triangles give their common side the same points.
/// `Value` is what is wanted along it: x, z, or both (LinePoint).
template <class Value>
struct Side {
    double y0, y1;
    Value v0, v1;
    Value slope;  ///< by y

    Side() = default;
    Side(double low, Value at_low, double high, Value at_high)
        : y0(low), y1(high), v0(at_low), v1(at_high), slope{} {
        if (high > low) slope = (at_high - at_low) / (high - low);
    }
    /// Not below the lower end.
    [[nodiscard]] FAIRLEAD_INLINE Value at(double y) const { return y >= y1 ? v1 : v0 + (y - y0) * slope; }
};

/// What a triangle has in a row: the polygon between the row's lower and upper line.
template <class Value>
struct RowPart {
    Value left_from, left_to;    ///< the long side
    Value right_from, right_to;  ///< the short sides, over `middle` if there is a corner between the lines
    Value middle;
    bool has_middle;
    bool has_bottom;  ///< it reaches the lower line
    bool has_top;     ///< and the upper one
    bool has_sides;   ///< there is more than what lies on the lower line
};

/// Walks up a triangle that is not within one row. What crosses the line between two rows is computed once.
template <class Value>
class RowWalk {
  public:
    /// Corners in any order; `row` is the first row, in which the triangle begins or through which it passes.
    RowWalk(const double (&y)[3], const Value (&v)[3], double row) {
        int a = 0, b = 1, c = 2;
        if (y[b] < y[a]) std::swap(a, b);
        if (y[c] < y[b]) std::swap(b, c);
        if (y[b] < y[a]) std::swap(a, b);
        long_ = Side<Value>(y[a], v[a], y[c], v[c]);
        lower_ = Side<Value>(y[a], v[a], y[b], v[b]);
        upper_ = Side<Value>(y[b], v[b], y[c], v[c]);
        if (y[a] < row) {  // it begins farther down
            left_ = long_.at(row);
            right_ = short_at(row);
            bottom_ = true;
        } else {
            left_ = v[a];
            right_ = y[a] == y[b] ? v[b] : v[a];
            bottom_ = y[a] == y[b];
        }
    }

    FAIRLEAD_INLINE void take_row(double row, RowPart<Value>& part) {
        const double top = row + 1.0;
        part.left_from = left_;
        part.right_from = right_;
        part.has_bottom = bottom_;
        const double middle = upper_.y0;
        part.has_middle = middle > row && middle < top && middle > long_.y0;
        part.middle = upper_.v0;
        left_ = long_.at(top);
        right_ = short_at(top);
        bottom_ = true;
        part.left_to = left_;
        part.right_to = right_;
        part.has_top = long_.y1 >= top;
        part.has_sides = long_.y1 > row;
    }

  private:
    [[nodiscard]] FAIRLEAD_INLINE Value short_at(double y) const {
        return y <= lower_.y1 ? lower_.at(y) : upper_.at(y);
    }

    Side<Value> long_, lower_, upper_;
    Value left_, right_;
    bool bottom_ = false;
};

}  // namespace fairlead::raster
