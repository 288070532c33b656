#include "settings/modifier_list.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/fields.h"
#include "settings/entry_section.h"
#include "text/placeholder_words.h"

namespace ventris::settings {
namespace {

using modifiers::Modifier;
using modifiers::ModifierKind;

constexpr int64_t kMostMerged = 100;
constexpr double kRounding = 1e-9;  // of a sum of shares

core::Choices<ModifierKind> kinds() {
  core::Choices<ModifierKind> choices;
  for (const ModifierKind kind : modifiers::all_kinds()) choices.emplace_back(modifiers::name_of(kind), kind);
  return choices;
}

template <typename V>
void fields(V& visit, Modifier& modifier) {
  visit({"kind",
         "What is changed. `upper`: both sides in capitals. `title`: each word of both sides begins with a capital. "
         "`typos`: typing errors in the source. `punctuation`: the punctuation at the end of both sides is dropped or "
         "doubled. `emoji`: an emoji or symbol in both sides. `merge`: the pair and those that follow it as one. "
         "`copy`: the target is the source, too. `tags`: placeholders at linked words of both sides. `terms`: the "
         "translations of some words are written into the source."},
        modifier.kind, kinds());
  visit({"share", "Probability with which a pair is changed in this way. All shares together are at most 1."},
        modifier.share, {.over = 0, .most = 1});
  visit({"words",
         "Only for `typos`: probability with which a word gets an error; at least one word gets one. Without it: 0.1."},
        modifier.words, {.over = 0, .most = 1});
  visit({"most",
         "Only for `merge`, `tags` and `terms`: the greatest number of pairs that become one, from 2, or of "
         "placeholders in a pair, at most " +
             std::to_string(text::kPlaceholderWords.size()) + ", or of terms in a pair. Without it: 3."},
        modifier.most, {.least = 1, .most = kMostMerged});
}

bool has_words(const Modifier& modifier) { return modifier.kind == ModifierKind::kTypos; }
bool has_most(const Modifier& modifier) {
  return modifier.kind == ModifierKind::kMerge || modifiers::needs_links(modifier.kind);
}

/// Refuses a setting of an entry of another kind.
void check_only_for(const char* kinds, const Modifier& modifier, const core::JsonReader& entry, const char* key) {
  if (!entry.has(key)) return;
  fail<ConfigError>(entry.path_of(key), ": is only for the kind ", kinds, ", not for '",
                    modifiers::name_of(modifier.kind), "'; leave it out");
}

void check_most(const Modifier& modifier, const core::JsonReader& entry) {
  constexpr auto kMostTags = static_cast<int64_t>(text::kPlaceholderWords.size());
  if (modifier.kind == ModifierKind::kMerge && modifier.most < 2) {
    fail<ConfigError>(entry.path_of("most"), ": must be at least 2, got ", modifier.most);
  }
  if (modifier.kind == ModifierKind::kTags && modifier.most > kMostTags) {
    fail<ConfigError>(entry.path_of("most"), ": must be at most ", kMostTags, ", got ", modifier.most);
  }
}

Modifier parse_modifier(core::JsonReader& entry) {
  Modifier modifier;
  core::FieldReader visit(entry);
  for (const char* key : {"kind", "share"}) {
    if (!entry.has(key)) {
      fail<ConfigError>(entry.path_of(key), ": is missing; expected an entry like {\"kind\": \"upper\", ",
                        "\"share\": 0.05}");
    }
  }
  fields(visit, modifier);
  entry.finish();
  if (!has_words(modifier)) check_only_for("'typos'", modifier, entry, "words");
  if (!has_most(modifier)) check_only_for("'merge', 'tags' or 'terms'", modifier, entry, "most");
  check_most(modifier, entry);
  return modifier;
}

}  // namespace

std::vector<Modifier> parse_modifiers(core::JsonReader& reader, const std::string& key) {
  std::vector<Modifier> list;
  double sum = 0;
  for (core::JsonReader& entry : reader.sections(key)) {
    list.push_back(parse_modifier(entry));
    sum += list.back().share;
  }
  if (sum > 1 + kRounding) {
    fail<ConfigError>(reader.path_of(key), ": the shares sum to ", sum,
                      "; expected at most 1, because a pair gets at most one change");
  }
  return list;
}

nlohmann::json to_json(const std::vector<Modifier>& list) {
  auto entries = nlohmann::json::array();
  for (Modifier modifier : list) {
    core::FieldWriter visit;
    fields(visit, modifier);
    if (!has_words(modifier)) visit.out.erase("words");
    if (!has_most(modifier)) visit.out.erase("most");
    entries.push_back(visit.out);
  }
  return entries;
}

core::SettingsSection describe_modifier() {
  core::FieldList list("data.modifiers[]", "Each object of the list `data.modifiers`.");
  Modifier modifier;
  fields(list, modifier);
  return entry_section(list);
}

}  // namespace ventris::settings
