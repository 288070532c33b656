#include "data/change_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "core/printable.h"
#include "core/process.h"
#include "data/pair_lines.h"

namespace ventris::data {
namespace {

using modifiers::TextPair;
using Examples = std::vector<std::vector<ChangeExample>>;

struct NumberedPair {
  int64_t line = 0;
  TextPair texts;
};

/// The pairs of a corpus, with some of those that follow. Pairs with an empty side are left out, as in training.
class PairWindow {
 public:
  PairWindow(const CorpusSpec& corpus, LinkReader* links)
      : path_(corpus.files.source), lines_(corpus.files), links_(links) {
    if (links_ != nullptr) links_->begin(corpus);
  }

  /// The next pair; false at the end.
  bool advance() {
    if (!ahead_.empty()) ahead_.pop_front();
    return !ahead_.empty() || read_one();
  }
  const NumberedPair& pair() const { return ahead_.front(); }

  /// The pair and those after it; fewer than `count` at the end.
  std::vector<TextPair> pairs(size_t count) {
    while (ahead_.size() < count && read_one()) {
    }
    std::vector<TextPair> found;
    for (size_t i = 0; i < std::min(count, ahead_.size()); ++i) found.push_back(ahead_[i].texts);
    return found;
  }

 private:
  bool read_one() {
    NumberedPair next;
    while (lines_.next(next.texts.source, next.texts.target)) {
      next.line = ++read_;
      if (links_ != nullptr) next.texts.links = links_->next();
      if (const int signal = core::stop_signal(); signal != 0) {
        throw Interrupted(signal, path_ + ": stopped by a signal while reading the corpus");
      }
      if (lines_.cut() || next.texts.source.empty() || next.texts.target.empty()) continue;
      ahead_.push_back(std::move(next));
      return true;
    }
    return false;
  }

  std::string path_;
  PairLines lines_;
  LinkReader* links_;
  int64_t read_ = 0;
  std::deque<NumberedPair> ahead_;
};

nlohmann::ordered_json to_json(const TextPair& pair) { return {{"source", pair.source}, {"target", pair.target}}; }

void append_side(const ChangeExample& example, const char* name, std::string TextPair::* side, std::string& out) {
  for (const TextPair& pair : example.before) {
    out += fmt::format("    {}  {}\n", name, core::printable(pair.*side));
    name = "      ";
  }
  if (example.before.size() == 1 && example.before.front().*side == example.after.*side) return;
  out += fmt::format("        =>  {}\n", core::printable(example.after.*side));
}

}  // namespace

Examples find_examples(const CorpusSpec& corpus, const modifiers::Modifiers& modifiers, size_t most, LinkReader* links,
                       const modifiers::TermForms* forms) {
  Examples examples(modifiers.list().size());
  const auto is_full = [most](const auto& of_one) { return of_one.size() >= most; };
  PairWindow window(corpus, links);
  uint64_t number = 0;
  for (; !std::ranges::all_of(examples, is_full) && window.advance(); ++number) {
    auto choice = modifiers.choose(0, number);
    if (!choice || is_full(examples[choice->modifier])) continue;
    const modifiers::Modifier& modifier = modifiers.list()[choice->modifier];
    auto before = window.pairs(modifiers::pairs_taken(modifier, choice->draws));
    const auto after = modifiers::changed(modifier, before, choice->draws, modifiers.division(), forms);
    if (after) examples[choice->modifier].push_back({window.pair().line, std::move(before), *after});
  }
  if (number == 0 && !examples.empty()) {
    fail<DataError>(corpus.files.source, ": has no sentence pair; expected one on each line");
  }
  return examples;
}

std::string to_text(const modifiers::Modifiers& modifiers, const Examples& examples) {
  std::string out;
  for (size_t i = 0; i < examples.size(); ++i) {
    const modifiers::Modifier& modifier = modifiers.list()[i];
    out += fmt::format(
        "{}{}, share {}: {}\n", i == 0 ? "" : "\n", modifiers::name_of(modifier.kind), modifier.share,
        examples[i].empty() ? "no line of this corpus is changed" : core::count_of(std::ssize(examples[i]), "example"));
    for (const ChangeExample& example : examples[i]) {
      out += fmt::format("  line {}\n", example.line);
      append_side(example, "source", &TextPair::source, out);
      append_side(example, "target", &TextPair::target, out);
    }
  }
  return out;
}

nlohmann::ordered_json to_json(const modifiers::Modifiers& modifiers, const Examples& examples) {
  auto all = nlohmann::ordered_json::array();
  for (size_t i = 0; i < examples.size(); ++i) {
    const modifiers::Modifier& modifier = modifiers.list()[i];
    auto list = nlohmann::ordered_json::array();
    for (const ChangeExample& example : examples[i]) {
      auto before = nlohmann::ordered_json::array();
      for (const TextPair& pair : example.before) before.push_back(to_json(pair));
      list.push_back({{"line", example.line}, {"before", before}, {"after", to_json(example.after)}});
    }
    all.push_back({{"kind", modifiers::name_of(modifier.kind)}, {"share", modifier.share}, {"examples", list}});
  }
  return {{"modifiers", all}};
}

}  // namespace ventris::data
