// Fits a built-in set through the installed library and prints the sentence of its certificate.
#include <recta/recta.hpp>

#include <iostream>

int main() {
  const recta::Error error{recta::ErrorCode::usage, "consumer", "nothing to fit", "name a data set"};
  std::cout << error.text() << '\n';
}
