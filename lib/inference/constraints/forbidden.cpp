#include "constraints/forbidden.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "constraints/sorting.h"
#include "core/process.h"

namespace ventris::constraints {
/// Makes the states, beginning with those where phrases begin. Each set of places is one state.
struct Forbidden::Builder {
  using Place = std::pair<uint32_t, int32_t>;  // the number of a phrase and a place in it
  using Places = std::vector<Place>;  // ascending

  struct HashOfPlaces {
    size_t operator()(const Places& set) const {
      uint64_t hash = set.size();
      for (const auto& [phrase, place] : set) {
        hash ^= (uint64_t{phrase} << 32) | static_cast<uint32_t>(place);
        hash *= 0x9E3779B97F4A7C15;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };

  Builder(Forbidden& built, const std::vector<Phrase>& all) : made(built), phrases(all) {}

  State state_of(Places set) {
    const auto [at, is_new] = numbers.try_emplace(std::move(set), static_cast<State>(sets.size()));
    if (is_new) sets.push_back(&at->first);  // the keys of a map stay where they are
    return at->second;
  }

  State start(bool closed) {
    Places set;
    for (size_t i = 0; i < phrases.size(); ++i) {
      set.push_back({static_cast<uint32_t>(i), 0});
      if (phrases[i].begins_inside(closed)) set.push_back({static_cast<uint32_t>(i), phrases[i].graph().inside});
    }
    sort_once(set);
    return state_of(std::move(set));
  }

  /// Adds the edges and ends of a state, and the states that its edges lead to.
  void add(const Places& set) {
    steps.clear();
    std::vector<int32_t> ends;
    for (const auto& [number, place] : set) {
      const Phrase& phrase = phrases[number];
      for (const auto& [id, to] : phrase.graph().edges[static_cast<size_t>(place)]) {
        if (to == phrase.end()) {
          ends.push_back(id);
        } else if (phrase.remaining(to) < Phrase::kNever) {
          steps.push_back({id, {number, to}});
        }
      }
    }
    sort_once(ends);
    made.ends_.insert(made.ends_.end(), ends.begin(), ends.end());
    made.ends_begin_.push_back(static_cast<uint32_t>(made.ends_.size()));
    sort_once(steps);
    for (size_t first = 0, end = 0; first < steps.size(); first = end) {
      Places next;
      for (; end < steps.size() && steps[end].first == steps[first].first; ++end) next.push_back(steps[end].second);
      made.edges_.push_back({steps[first].first, state_of(std::move(next))});
    }
    made.edges_begin_.push_back(static_cast<uint32_t>(made.edges_.size()));
  }

  Forbidden& made;
  const std::vector<Phrase>& phrases;
  std::unordered_map<Places, State, HashOfPlaces> numbers;
  std::vector<const Places*> sets;  // by state
  std::vector<std::pair<int32_t, Place>> steps;  // of a state; kept for its memory
};

Forbidden::Forbidden(const std::vector<Phrase>& phrases) : any_(!phrases.empty()) {
  Builder builder(*this, phrases);
  start_ = {builder.start(false), builder.start(true)};
  for (size_t state = 0; state < builder.sets.size(); ++state) {
    if (state % 1024 == 0) core::throw_if_stopped("forbidden phrases");
    builder.add(*builder.sets[state]);
  }
}

Forbidden::State Forbidden::next(State state, int32_t id) const {
  const auto edges = edges_of(state);
  const auto found = std::ranges::lower_bound(edges, id, {}, &Edge::id);
  return found != edges.end() && found->id == id ? found->to : -1;
}

Forbidden::States Forbidden::after(const States& begun, bool closed, int32_t id) const {
  States all;
  const auto follow = [&](State state) {
    const State to = next(state, id);
    if (to >= 0) all.push_back(to);
  };
  follow(start_[closed ? 1 : 0]);
  for (const State state : begun) follow(state);
  sort_once(all);
  return all;
}

std::vector<int32_t> Forbidden::completing(const States& begun, bool closed) const {
  std::vector<int32_t> of_begun, all;
  for (const State state : begun) {
    const auto ends = ends_of(state);
    of_begun.insert(of_begun.end(), ends.begin(), ends.end());
  }
  std::ranges::sort(of_begun);
  std::ranges::set_union(of_begun, ends_of(start_[closed ? 1 : 0]), std::back_inserter(all));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool Forbidden::completes(const States& begun, bool closed, int32_t id) const {
  const auto ends = [&](State state) { return std::ranges::binary_search(ends_of(state), id); };
  return ends(start_[closed ? 1 : 0]) || std::ranges::any_of(begun, ends);
}

}  // namespace ventris::constraints
