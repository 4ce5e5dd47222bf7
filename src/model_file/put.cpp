#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace recta {

void put(TensorWriter& out, const std::string& name, std::vector<double> values, const TensorWriter::Shape& shape) {
  std::vector<std::uint8_t> present;
  for (double& x : values) {
    present.push_back(!std::isnan(x));
    if (std::isnan(x)) x = 0;
  }
  const auto count = std::ranges::count(present, 1);
  if (count == 0) return;
  out.add(name, values, shape);
  if (count < std::ssize(present)) out.add(name + ".present", present, shape);
}

void put_vector(TensorWriter& out, const std::string& name, const std::vector<double>& values) {
  if (!values.empty()) out.add(name, values, {std::ssize(values)});
}

} // namespace recta
