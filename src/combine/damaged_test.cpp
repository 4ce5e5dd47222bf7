// Damaged files of models made of others: refused with a reason, or a model that answers.
#include "model_file/example_model.hpp"
#include "model_file/tensor_file.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta::combine {
namespace {

constexpr Index kSome = 30;

struct Both {
  std::vector<double> x{}, y{};
  Both() {
    for (int i = 0; i < kSome; ++i) {
      const double a = std::sin(1.9 * i), b = std::cos(3.1 * i);
      x.insert(x.end(), {a, b});
      y.insert(y.end(), {a + 0.5 * b > 0 ? 1.0 : 0.0, b > 0.2 ? 1.0 : 0.0, a > b ? 1.0 : 0.0});
    }
  }
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), kSome, 2), .y = MatrixView::row_major(y.data(), kSome, 3)};
  }
};

void use(const std::string& bytes, const Both& rows) {
  const auto model = Model::from_bytes(bytes, "m.recta");
  if (!model) {
    EXPECT_FALSE(model.error().what.empty());
    return;
  }
  static_cast<void>(model->predict(rows.arrays().dense));
  static_cast<void>(model->predict(rows.arrays().dense, 1, Answer::probability));
  static_cast<void>(model->body->report(model->schema));
  static_cast<void>(verify(*model, rows.arrays()));
}

TEST(DamagedParts, AreRefusedOrAnswer) {
  const Both rows;
  FitOptions sets;
  sets.label_columns = {"a", "b", "c"};
  sets.params["lambda"] = 0.1;
  FitOptions chains = sets;
  chains.chains = 2;
  for (const auto& [word, options] :
       {std::pair{"logistic", sets}, std::pair{"logistic", chains}, std::pair{"huber", FitOptions{}}}) {
    const auto model = fit(word, rows.arrays(), options);
    ASSERT_TRUE(model) << model.error().text();
    const std::string bytes = model->to_bytes();
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
      std::string damaged = bytes;
      for (int k = 0; k < 1 + round % 3; ++k)
        damaged[random() % (bytes.size() - 32)] ^= static_cast<char>(1U << random() % 8);
      use(with_checksum(damaged), rows);
    }
    // The numbers of the outer file, before those of its parts.
    const std::size_t first = bytes.find('}') + 1;
    for (std::size_t at = first; at < std::min(bytes.size(), first + 4000); at += 8) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(0x7F);
      use(with_checksum(damaged), rows);
    }
  }
}

} // namespace
} // namespace recta::combine
