// Tails of Student's t, Fisher's F, chi squared and the normal distribution. Each is computed as the tail itself, never
// as 1 minus the rest, so that a p-value is 0 only when it is below the smallest double. NaN in, or no degrees of
// freedom: NaN out.
#pragma once

namespace recta {

double student_two_sided(double t, double freedom);         // P(|T| > |t|)
double student_quantile(double confidence, double freedom); // q with P(|T| <= q) = confidence
double fisher_upper(double f, double above, double below);  // P(F > f)
double fisher_median(double above, double below);
double chi_squared_upper(double x, double freedom); // P(X > x)
double normal_two_sided(double z);                  // P(|Z| > |z|)
double normal_quantile(double confidence);          // q with P(|Z| <= q) = confidence

} // namespace recta
