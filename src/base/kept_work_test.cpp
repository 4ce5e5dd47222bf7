#include "base/kept_work.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace recta {
namespace {

struct Counted {
  int count = 0;
};
struct Named {
  int count = 0;
};

TEST(KeptWork, KeepsOneObjectOfEachTypeWhileItLives) {
  EXPECT_EQ(KeptWork::find<Counted>(), nullptr);
  {
    const KeptWork kept;
    KeptWork::find<Counted>()->count = 3;
    EXPECT_EQ(KeptWork::find<Counted>()->count, 3);
    EXPECT_EQ(KeptWork::find<Named>()->count, 0);
    {
      const KeptWork inner;
      EXPECT_EQ(KeptWork::find<Counted>()->count, 0);
    }
    EXPECT_EQ(KeptWork::find<Counted>()->count, 3);
    std::thread([] { EXPECT_EQ(KeptWork::find<Counted>(), nullptr); }).join();
  }
  EXPECT_EQ(KeptWork::find<Counted>(), nullptr);
}

} // namespace
} // namespace recta
