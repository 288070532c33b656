#include "training/saver.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "core/log.h"

namespace ventris::training {
namespace {

void save_or_say_why_not(const Saver::Save& save) {
  try {
    save();
  } catch (const WriteError& error) {
    core::log_warning(fmt::format(
        "this checkpoint could not be saved ({}); training goes on and tries again at the next one", error.what()));
  }
}

}  // namespace

void Saver::begin(Save save) {
  wait();
  in_flight_ = std::async(std::launch::async, [save = std::move(save)] { save_or_say_why_not(save); });
}

void Saver::save_now(const Save& save) {
  wait();
  save();
}

void Saver::wait() {
  if (in_flight_.valid()) in_flight_.get();
}

}  // namespace ventris::training
