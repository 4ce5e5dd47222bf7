// The names of things in a model file, once for the writer and the reader. Words and codes here are part of the format:
// they are added to, never changed.
#pragma once

#include <recta/model.hpp>

#include <array>

namespace recta::model_fields {

inline constexpr Index kFormat = 7; // a reader takes this version and all before it
// The format a model is written in if there are no numbers of 4 bytes, if there are no texts, if it is linear, if no
// class is set against the rest, if there are no classes, and if there are no feature maps: older readers take it.
inline constexpr Index kWithoutShortNumbers = 6, kWithoutTexts = 5, kLinear = 4, kWithoutRest = 3, kWithoutClasses = 2,
                       kWithoutMaps = 1;

template <class T>
struct Number {
  std::string_view name;
  double T::* member;
  bool required; // otherwise NaN if there is none
};

// F64[p, k] as "coefficients" + name, and F64[k] as "intercept" + name.
inline constexpr std::array<Number<Coefficient>, 7> kCoefficient{{
    {"", &Coefficient::value, true},
    {".standardised", &Coefficient::standardised, false},
    {".standard_error", &Coefficient::standard_error, false},
    {".t", &Coefficient::t, false},
    {".p_value", &Coefficient::p_value, false},
    {".lower", &Coefficient::lower, false},
    {".upper", &Coefficient::upper, false},
}};

// F64[k] as "fit" + name.
inline constexpr std::array<Number<TargetFit>, 13> kTargetFit{{
    {".rss", &TargetFit::rss, false},
    {".mse", &TargetFit::mse, false},
    {".r2", &TargetFit::r2, false},
    {".adjusted_r2", &TargetFit::adjusted_r2, false},
    {".sigma", &TargetFit::sigma, false},
    {".log_likelihood", &TargetFit::log_likelihood, false},
    {".f", &TargetFit::f, false},
    {".f_p_value", &TargetFit::f_p_value, false},
    {".lambda1", &TargetFit::lambda1, false},
    {".lambda1_max", &TargetFit::lambda1_max, false},
    {".scale", &TargetFit::scale, false},
    {".deviance", &TargetFit::deviance, false},
    {".d2", &TargetFit::d2, false},
}};

// F64[1] as "classes" + name.
inline constexpr std::array<Number<ClassFit>, 6> kClassFit{{
    {".accuracy", &ClassFit::accuracy, false},
    {".log_likelihood", &ClassFit::log_likelihood, false},
    {".null_log_likelihood", &ClassFit::null_log_likelihood, false},
    {".ratio", &ClassFit::ratio, false},
    {".ratio_freedom", &ClassFit::ratio_freedom, false},
    {".ratio_p_value", &ClassFit::ratio_p_value, false},
}};
// The fields of perceptrons alone.
inline constexpr std::array<Number<ClassFit>, 5> kPerceptronFit{{
    {".mistakes", &ClassFit::mistakes, false},
    {".presented", &ClassFit::presented, false},
    {".radius", &ClassFit::radius, false},
    {".norm", &ClassFit::norm, false},
    {".mistake_bound", &ClassFit::mistake_bound, false},
}};

// Words by the value of the enumerator.
inline constexpr std::array<std::string_view, 4> kColumnTypes{"real", "integer", "category", "text"};
inline constexpr std::array<std::string_view, 6> kMissing{"refuse", "drop", "mean", "indicator", "skip", "neighbours"};
inline constexpr std::array<std::string_view, 2> kUnseen{"refuse", "zeros"};
inline constexpr std::array<std::string_view, 2> kWeightMeanings{"precision", "frequency"};
inline constexpr std::array<std::string_view, 6> kErrors{"classical", "hc0", "hc1", "hc2", "hc3", "cluster"};
inline constexpr std::array<std::string_view, 4> kVerdicts{"proved", "within_tolerance", "stopped_early", "refuted"};
inline constexpr std::array<std::string_view, 10> kClaims{
    "exact_optimum", "duality_gap",       "kkt_residual", "separating_hyperplane",
    "not_separable", "no_finite_maximum", "counted",      "searched",
    "stationary",    "described"};
static_assert(kClaims.size() == std::variant_size_v<Claim>);

} // namespace recta::model_fields
