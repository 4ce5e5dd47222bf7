// Model files of libsvm and liblinear by hand, for tests and the fuzzer.
#pragma once

#include <array>
#include <string>

namespace recta::foreign {

inline const std::array<std::string, 4>& example_files() {
  static const std::array<std::string, 4> files{
      // f(x) = exp(-|x - (0, 1)|^2 / 2) - exp(-|x - (2, 0)|^2 / 2) - 0.25
      "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nprobA -1.5\nprobB "
      "0.1\n"
      "nr_sv 1 1\nSV\n1 2:1 \n-1 1:2 \n",
      "svm_type c_svc\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 1\nnr_class 3\ntotal_sv 4\nrho 0.5 0 -0.5\n"
      "label 3 1 2\nnr_sv 1 1 2\nSV\n1 0.5 1:1 \n-1 2 1:-1 3:4 \n-0.5 -1 2:1e-3 \n0 -1 4:2 \n",
      "svm_type one_class\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho 1.5\nSV\n1 0:3 \n0.5 0:1 \n",
      "solver_type L2R_LR\nnr_class 3\nlabel 5 6 7\nnr_feature 2\nbias 1\nw\n1 0 -1 \n0.5 1e-5 2 \n0 0 3 \n"};
  return files;
}

} // namespace recta::foreign
