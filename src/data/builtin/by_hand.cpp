// Sets small enough to work through on paper: every fit of them has an answer that a reader can check.
#include "data/builtin/table.hpp"

namespace recta::builtin {

const std::string_view xor_rows = R"(0,0,0
0,1,1
1,0,1
1,1,0)";

const std::string_view one_row = "1,0";

const std::string_view two_points = R"(0,0,1
1,1,2)";

const std::string_view three_points = R"(0,0
1,1
0.5,0.5)";

const std::string_view ring_points = R"(1,0,-1
-1,0,-1
0,1,-1
0,-1,-1
2,0,1
-2,0,1
0,2,1
0,-2,1)";

const std::string_view line_1234 = R"(1,-1
2,-1
3,1
4,1)";

const std::string_view line_10_12 = R"(10,-1
12,1)";

const std::string_view line_six = R"(-3,-1
-1,-1
1,1
2,1
5,1
9,1)";

const std::string_view two_ones = R"(1,1
2,1)";

const std::string_view chinese = R"(Chinese Beijing Chinese,c
Chinese Chinese Shanghai,c
Chinese Macao,c
Tokyo Japan Chinese,j)";

const std::string_view reviews = R"(el mejor guión
no es buena
de lo mejor)";

} // namespace recta::builtin
