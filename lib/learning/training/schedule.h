#pragma once
#include <cstdint>

#include "settings/run_config.h"

namespace ventris::training {

/// The learning rate of an update, counted from 1; see ScheduleConfig for the formulas. Only noam uses `d_model`.
double learning_rate(const settings::ScheduleConfig& config, int64_t update, int64_t d_model);

}  // namespace ventris::training
