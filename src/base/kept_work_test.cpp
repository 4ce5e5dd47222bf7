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

TEST(KeptWork, OfASearchOutlivesThatOfItsRows) {
  const KeptWork search(KeptWork::Of::search);
  EXPECT_EQ(KeptWork::find<Counted>(), nullptr);
  for (int rows = 0; rows < 3; ++rows) {
    const KeptWork kept;
    EXPECT_EQ(++KeptWork::find<Counted>()->count, 1);
    EXPECT_EQ(++KeptWork::find<Counted>(KeptWork::Of::search)->count, rows + 1);
  }
}

} // namespace
} // namespace recta
