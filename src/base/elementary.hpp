// Error bounds of exp, expm1, log and log1p in the C library. None of them is correctly rounded. glibc's manual ("Known
// Maximum Errors in Math Functions") states 1 ulp for each of the four on x86-64 and aarch64, found by searches and not
// by proof; 2 ulp are allowed here. An ulp is at most 2^-52 of the number. If the argument of a logarithm is itself
// rounded, its relative error becomes an absolute error of the logarithm, which the caller must add.
#pragma once

namespace recta {

inline constexpr double kElementaryError = 0x1p-51;

} // namespace recta
