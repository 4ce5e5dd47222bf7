// The claim that a likelihood has no finite maximum, once a plane is proved to separate the classes.
#pragma once

#include "certificate/loss/plane.hpp"

#include <recta/model.hpp>
#include <recta/separability.hpp>

namespace recta {

SeparatingPlane plane_of(const Separability& separability); // not found, unless it is proved

void claim_no_maximum(const SeparatingPlane& plane, const Schema& schema, Certificate& certificate);

// A claim that was stored and is looked at again: refuted if `looked` found no separation.
Result<void> hold_to(const NoFiniteMaximum& claim, Result<void> looked, Certificate& certificate);

} // namespace recta
