// All kernel bodies, and the table of one level that is made of them. A pack_*.hpp must be included before this.
#pragma once

#include "base/simd/body/add_multiples.hpp"
#include "base/simd/body/block.hpp"
#include "base/simd/body/column_dots.hpp"
#include "base/simd/body/cos.hpp"
#include "base/simd/body/dd.hpp"
#include "base/simd/body/exp.hpp"
#include "base/simd/body/list_distances.hpp"
#include "base/simd/body/panel_products.hpp"
#include "base/simd/body/row_dots.hpp"
#include "base/simd/body/row_dots2.hpp"
#include "base/simd/body/sparse_dots.hpp"
#include "base/simd/body/term_sums.hpp"
#include "base/simd/level.hpp"

namespace recta::simd {
namespace {

constexpr Kernels kTable = {
    .row_dots = row_dots,
    .row_dots_and_largest = row_dots_and_largest,
    .row_dots2 = row_dots2,
    .column_dots = column_dots,
    .column_dots2 = column_dots2,
    .column_abs_dots = column_abs_dots,
    .sparse_row_dots = sparse_row_dots,
    .sparse_row_dots2 = sparse_row_dots2,
    .sparse_column_dots = sparse_column_dots,
    .sparse_column_dots2 = sparse_column_dots2,
    .sparse_column_abs_dots = sparse_column_abs_dots,
    .sparse_column_squares = sparse_column_squares,
    .centred_copy = centred_copy,
    .all_finite = all_finite,
    .largest_size = largest_size,
    .exp_minus_abs = exp_minus_abs,
    .gaussians = gaussians,
    .float_gaussians = float_gaussians,
    .cosines = cosines,
    .two_probabilities = two_probabilities,
    .dd_add = dd_add,
    .dd_rank_one = dd_rank_one,
    .dd_gram = dd_gram,
    .panel_products = panel_products,
    .many_panel_products = many_panel_products,
    .many_float_panel_products = many_float_panel_products,
    .add_multiples = add_multiples,
    .add_float_multiples = add_float_multiples,
    .term_sums = term_sums,
    .list_distances = list_distances,
};

} // namespace
} // namespace recta::simd
