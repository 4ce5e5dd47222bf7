// Fits a built-in set through the installed library and prints the sentence of its certificate.
#include <recta/recta.hpp>

#include <iostream>

int main() {
  const auto data = recta::read("housing");
  if (!data) {
    std::cerr << data.error().text() << '\n';
    return 1;
  }
  const auto model = recta::fit("linear", *data, {.target = {"price"}});
  if (!model) {
    std::cerr << model.error().text() << '\n';
    return 1;
  }
  std::cout << model->certificate.sentence() << '\n';
  return model->certificate.verdict == recta::Verdict::proved ? 0 : 4;
}
