// The buffers behind PolygonScratch.
#pragma once

#include <cstdint>

#include <fairlead/polygon/merge_convex.h>
#include <fairlead/polygon/triangulate.h>

#include "polygon/mesh.h"

namespace fairlead::polygon {

/// A segment, or a piece of one, that is still to be made of edges.
struct Piece {
    Index from;
    Index to;
    Index chain;         ///< as seen from -> to
    bool whole = false;  ///< not split yet: what it meets exactly must be found before it is bent
};

/// An edge of the side of a channel, with what lies beyond it.
struct Bank {
    Index vertex;  ///< the edge's end; its start is the end of the edge before
    Index beyond;  ///< a half-edge, or kPending and a place in `pending`
    Index chain;
};

/// An edge between two triangles that may be left out.
struct Diagonal {
    double length;  ///< squared
    Index half;
};

/// What merging knows of a half-edge: its neighbours along the border of its polygon.
struct Border {
    Index next;
    Index previous;
};

struct Work {
    explicit Work(const Allocator& a)
        : mesh(a),
          keys(a),
          keys_other(a),
          point_vertex(a),
          alias(a),
          pieces(a),
          dirty(a),
          channel(a),
          left(a),
          right(a),
          banks(a),
          pending(a),
          links(a),
          renamed(a),
          stack(a),
          marks(a),
          diagonals(a),
          borders(a),
          owners(a),
          numbers(a),
          segments(a),
          winding(a),
          inside(a),
          triangulation(a),
          merged(a) {}

    Mesh mesh;

    // Making the triangulation.
    Array<std::uint64_t> keys, keys_other;  ///< the order of insertion
    Array<Index> point_vertex;              ///< by point: its vertex before merging of equal points
    Array<Index> alias;                     ///< by vertex: the vertex of the same value that stands for it
    Array<Piece> pieces;
    Array<Index> dirty;    ///< half-edges whose edge may not be Delaunay
    Array<Index> channel;  ///< triangles that a piece runs through
    Array<Index> left, right;
    Array<Bank> banks;
    Array<Index> pending;
    Array<ConstraintLink> links;
    Array<Index> renamed;
    std::uint32_t vertices_max = 0;
    std::uint32_t vertices_real = 0;  ///< different ones so far
    double quantum = 0.0;
    std::uint32_t crossings = 0;
    ErrorCode failure = ErrorCode::out_of_memory;

    // Regions and merging.
    Array<Index> stack;
    Array<Index> marks;
    Array<Diagonal> diagonals;
    Array<Border> borders;
    Array<Index> owners;
    Array<Index> numbers;

    // Outlines.
    Array<ConstraintSegment> segments;
    Array<std::int32_t> winding;
    Array<Index> inside;
    Triangulation triangulation;
    ConvexPolygons merged;
};

}  // namespace fairlead::polygon
