#include "constraints/constraints.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "constraints/sorting.h"

namespace ventris::constraints {
namespace {

using Begun = Progress::Begun;

uint64_t bit_of(size_t wish) { return uint64_t{1} << wish; }

std::vector<Alternatives> each_alone(std::vector<Phrase> phrases) {
  std::vector<Alternatives> all;
  for (Phrase& phrase : phrases) all.push_back({std::move(phrase)});
  return all;
}

/// Calls use(place) for each place of a phrase where the next token may begin it.
template <typename Use>
void each_beginning(const Phrase& phrase, bool closed, const Use& use) {
  use(0);
  if (phrase.begins_inside(closed)) use(phrase.graph().inside);
}

/// Calls use(phrase, place) for the place after the token in each phrase that it begins or goes on with; some of them
/// several times. `left(phrase)`: whether the phrase counts.
template <typename Left, typename Use>
void each_step(const std::vector<Phrase>& phrases, const std::vector<Begun>& begun, bool closed, int32_t id,
               const Left& left, const Use& use) {
  const auto follow = [&](size_t number, int32_t place) {
    const int32_t to = phrases[number].after(place, id);
    if (to >= 0 && phrases[number].remaining(to) < Phrase::kNever) use(number, to);
  };
  for (const Begun& at : begun) {
    if (left(at.phrase)) follow(at.phrase, at.place);
  }
  for (size_t i = 0; i < phrases.size(); ++i) {
    if (left(i)) each_beginning(phrases[i], closed, [&](int32_t place) { follow(i, place); });
  }
}

}  // namespace

Constraints::Constraints(std::vector<Phrase> required, const std::vector<Phrase>& forbidden,
                         std::shared_ptr<const Borders> borders)
    : Constraints(std::make_shared<const Forbidden>(forbidden), std::move(borders), each_alone(std::move(required))) {}

Constraints::Constraints(std::shared_ptr<const Forbidden> forbidden, std::shared_ptr<const Borders> borders,
                         std::vector<Alternatives> required)
    : forbidden_(std::move(forbidden)), borders_(std::move(borders)) {
  if (required.size() > kMostRequired) throw std::invalid_argument("Constraints: too many required phrases");
  for (Alternatives& phrases : required) {
    if (phrases.empty()) throw std::invalid_argument("Constraints: no phrase to choose from");
    least_.push_back(std::ranges::min_element(phrases, {}, &Phrase::tokens)->tokens());
    tokens_ += least_.back();
    for (Phrase& phrase : phrases) {
      required_.push_back(std::move(phrase));
      wish_.push_back(least_.size() - 1);
    }
  }
}

Constraints Constraints::with_required(std::vector<Alternatives> required) const {
  return {forbidden_, borders_, std::move(required)};
}

bool Constraints::is_met(const Progress& progress, size_t phrase) const {
  return (progress.met & bit_of(wish_[phrase])) != 0;
}

Progress Constraints::after(const Progress& progress, int32_t id) const {
  const auto at = static_cast<size_t>(id);
  Progress next;
  next.closed = borders_->closes.at(at) != 0;
  next.met = progress.met & ~(borders_->continues.at(at) != 0 ? progress.fresh : 0);
  const uint64_t before = next.met;
  each_step(
      required_, progress.required, progress.closed, id, [&](size_t i) { return (before & bit_of(wish_[i])) == 0; },
      [&](size_t i, int32_t place) {
        if (place < required_[i].end()) return next.required.push_back({i, place});
        next.met |= bit_of(wish_[i]);
        if (required_[i].graph().ends_word) next.fresh |= bit_of(wish_[i]);
      });
  // What is fresh may become a longer alternative.
  const uint64_t done = next.met & ~next.fresh;
  std::erase_if(next.required, [&](const Begun& begun) { return (done & bit_of(wish_[begun.phrase])) != 0; });
  sort_once(next.required);
  next.forbidden = forbidden_->after(progress.forbidden, progress.closed, id);
  return next;
}

int32_t Constraints::missing(const Progress& progress) const {
  int32_t all = 0, gained = 0;
  for (size_t wish = 0; wish < least_.size(); ++wish) {
    if ((progress.met & bit_of(wish)) == 0) all += least_[wish];
  }
  for (const auto& [i, place] : progress.required) {
    if (!is_met(progress, i)) gained = std::max(gained, least_[wish_[i]] - required_[i].remaining(place));
  }
  return all - gained;
}

std::vector<int32_t> Constraints::wanted(const Progress& progress) const {
  std::vector<int32_t> ids;
  for (const auto& [i, place] : progress.required) {
    if (!is_met(progress, i)) ids.push_back(required_[i].next(place));
  }
  const bool begins = ids.empty();
  for (size_t i = 0; begins && i < required_.size(); ++i) {
    if (is_met(progress, i)) continue;
    // A word without a space is right only after some signs, and then it is among the best tokens anyway.
    each_beginning(required_[i], false, [&](int32_t place) { ids.push_back(required_[i].next(place)); });
  }
  sort_once(ids);
  return ids;
}

std::vector<int32_t> Constraints::forbidden(const Progress& progress) const {
  return forbidden_->completing(progress.forbidden, progress.closed);
}

bool Constraints::is_forbidden(const Progress& progress, int32_t id) const {
  return forbidden_->completes(progress.forbidden, progress.closed, id);
}

}  // namespace ventris::constraints
