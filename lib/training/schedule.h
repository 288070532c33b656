#pragma once
#include <cstdint>

#include "run/config.h"

namespace ventris::training {

/// Learning rate of an update, counted from 1 (ScheduleConfig says the formulas). `d_model` matters for noam only.
double learning_rate(const run::ScheduleConfig& config, int64_t update, int64_t d_model);

}  // namespace ventris::training
