// All of Recta.
#pragma once

#include <recta/accumulator.hpp>
#include <recta/certificate.hpp>
#include <recta/cross_validate.hpp>
#include <recta/curve.hpp>
#include <recta/dataset.hpp>
#include <recta/decide.hpp>
#include <recta/diagnosis.hpp>
#include <recta/error.hpp>
#include <recta/estimator.hpp>
#include <recta/evaluate.hpp>
#include <recta/learning_curve.hpp>
#include <recta/matrix.hpp>
#include <recta/metrics.hpp>
#include <recta/model.hpp>
#include <recta/moments.hpp>
#include <recta/neighbours.hpp>
#include <recta/odds.hpp>
#include <recta/online.hpp>
#include <recta/params.hpp>
#include <recta/path.hpp>
#include <recta/plot.hpp>
#include <recta/scores.hpp>
#include <recta/separability.hpp>
#include <recta/split.hpp>
#include <recta/trace.hpp>
