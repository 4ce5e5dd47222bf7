// The figures a model states beside its coefficients, against those that its training rows give: what verify() compares
// once the proof holds.
//
// Sums over the rows - means, sums of squares, likelihoods - agree to 1e-9. Standard errors, tests, intervals and
// singular values come from a factorisation, which loses the square of the condition number: they agree to 1e-9 + 64 p
// u k^2, u = 2^-53, and to 40 % once that bound is useless, so that a figure of twice its size never passes. p-values
// agree in their logarithm, by what moves it if the statistic does. An objective of squares keeps the digits that
// rounding leaves its residuals, however small it is beside that of the constant model. This covers other instruction
// sets; the same machine gives the same bits. A figure that a file leaves out claims nothing. Distances to the optimum
// are not compared: they are bounds, and proved anew.
#pragma once

#include "certificate/stated/contradict.hpp"

#include <recta/model.hpp>

namespace recta {

// `computed`: the summary of the same coefficients as the rows give it. If figures differ, the certificate is refuted
// and names them with both values.
void compare_figures(const Model& model, const LinearSummary& computed, Certificate& certificate);
// The same for a model that is not linear: rows, weight, and figures of the classes.
void compare_summary(const Model& model, const FitSummary& computed, Certificate& certificate);
// The figures with the solver and the reason as stated: how a search went is known to the search alone.
FitSummary as_searched(FitSummary computed, const FitSummary& stated);
// Refutes, and says what in the file is not as the rows give it, if anything is.
void refute(std::vector<std::string> differences, Certificate& certificate);
// Refutes unless a text of the file, `what`, is the one that its parameters and its rows give.
void compare_text(const std::string& what, const std::string& stored, const std::string& computed,
                  Certificate& certificate);
inline void compare_objective(const Model& model, const std::string& computed, Certificate& certificate) {
  compare_text("the objective's text", model.objective, computed, certificate);
}
// Refutes unless a setting that the body states is the one that the parameters of the model ask for.
void compare_setting(const std::string& name, bool same, Certificate& certificate);
// Refutes multipliers of rows that no hyperplane separates unless they are as many as the rows give, and shares.
void compare_multipliers(const Certificate& stated, Certificate& certificate);
// The same for the strengths of penalties, which the model states beside its parameters. NaN: nothing is asked for.
void compare_strengths(const LinearSummary& stored, double lambda1, double lambda2, Certificate& certificate);
// Compares the weight of the rows of each class in the same way.
void compare_class_weights(const Classes& classes, const std::vector<double>& computed, Certificate& certificate);

} // namespace recta
