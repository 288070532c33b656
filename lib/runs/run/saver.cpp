#include "run/saver.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>

#include "core/error.h"
#include "core/log.h"

namespace ventris::run {
namespace {

bool save_or_say_why_not(const Saver::Save& save) {
  try {
    save();
    return true;
  } catch (const WriteError& error) {
    core::log_warning(
        fmt::format("this checkpoint could not be saved ({}); training continues and tries again", error.what()));
    return false;
  }
}

}  // namespace

void Saver::begin(const Save& save) {
  wait();
  failed_ = false;
  try {
    in_flight_ = std::async(std::launch::async, [save] { return save_or_say_why_not(save); });
  } catch (const std::system_error&) {  // the system refuses another thread: training waits for this one
    failed_ = !save_or_say_why_not(save);
  }
}

void Saver::save_now(const Save& save) {
  wait();
  save();
  failed_ = false;
}

void Saver::wait() {
  if (in_flight_.valid()) failed_ = !in_flight_.get();
}

bool Saver::failed() {
  const bool over = in_flight_.valid() && in_flight_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (over) wait();
  return failed_;
}

}  // namespace ventris::run
