// How far exp, expm1, log and log1p of the C library can be from the exact functions. None of them is correctly
// rounded. glibc's manual ("Known Maximum Errors in Math Functions") states 1 ulp for each of the four on x86-64 and
// aarch64, found by searches and not by proof; 2 ulp are allowed for here. An ulp is at most 2^-52 of the number.
// Where the argument of a logarithm is rounded by itself, its relative error is an absolute one of the logarithm: that
// is for the caller to add.
#pragma once

namespace recta {

inline constexpr double kElementaryError = 0x1p-51;

} // namespace recta
