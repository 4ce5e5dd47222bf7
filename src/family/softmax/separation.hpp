// A softmax likelihood that seems to rise for ever: directions of the classes' weights prove that it does.
//
// Along q_1, ..., q_K no row's loss rises if <q_y - q_k, x_i> >= 0 for its class y and every other k, and if one of
// these is above zero some fall for ever (Albert and Anderson 1984). With the last class's q zero that is a question of
// separability through the origin, of a row for every row and every class but its own (Kesler's construction; Duda and
// Hart 1973, section 5.12): x_i in the place of its class, -x_i in that of the other, the constant of the intercepts
// with it.
#pragma once

#include "driver/task_rows.hpp"

namespace recta {

// If such directions are found, the certificate claims that there is no finite maximum. `known`: directions claimed
// before, which are to be found again; empty: none.
Result<void> look_for_class_separation(const std::vector<double>& known, bool intercept, const TaskRows& task_rows,
                                       Certificate& certificate);

// Weights that grew without an end, a loss that is all but gone, or no answer: there may be no finite maximum.
bool runs_away(bool far, const Certificate& certificate);

} // namespace recta
