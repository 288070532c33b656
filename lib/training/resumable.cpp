#include "training/resumable.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/paths.h"

namespace ventris::training {
using nlohmann::json;
namespace {

/// A setting that differs between two runs, with its values as JSON text ("nothing" = not set).
struct Difference {
  std::string pointer, before, after;
};

std::vector<Difference> differences(const json& before, const json& after, const std::string& pointer = "") {
  const auto text = [](const json* value) { return value == nullptr ? "nothing" : value->dump(); };
  std::vector<Difference> found;
  json all = before;
  all.update(after);
  for (const auto& [key, ignored] : all.items()) {
    const json* old = before.contains(key) ? &before.at(key) : nullptr;
    const json* fresh = after.contains(key) ? &after.at(key) : nullptr;
    const std::string here = pointer + "/" + key;
    if (old != nullptr && fresh != nullptr && old->is_object() && fresh->is_object()) {
      const auto inner = differences(*old, *fresh, here);
      found.insert(found.end(), inner.begin(), inner.end());
    } else if (old == nullptr || fresh == nullptr || *old != *fresh) {
      found.push_back({here, text(old), text(fresh)});
    }
  }
  return found;
}

bool same_place(const std::string& before, const std::string& after) {
  const auto place = [](const std::string& text) { return core::resolved(json::parse(text).get<std::string>()); };
  return place(before) == place(after);
}

/// Whether both have the same number of corpora with the same shares and tags. Files may have moved; their content is
/// compared when they are read.
bool same_but_files(json before, json after) {
  for (json* data : {&before, &after}) {
    for (json& corpus : (*data)["corpora"]) {
      for (const char* file : {"source", "target", "tsv", "line_weights"}) corpus.erase(file);
    }
  }
  return before["corpora"] == after["corpora"];
}

}  // namespace

std::vector<std::string> check_resumable(const json& begun, const json& now) {
  static const std::vector<std::string> kFree{"/training/after",
                                              "/training/save_every",
                                              "/training/report_every",
                                              "/training/report",
                                              "/training/tensorboard",
                                              "/training/keep_checkpoints",
                                              "/training/keep_best",
                                              "/training/average_last",
                                              "/training/average_best",
                                              "/training/threads",
                                              "/training/device",
                                              "/training/max_bad_updates",
                                              "/validation/every",
                                              "/validation/patience",
                                              "/validation/batch_sentences",
                                              "/data/train",
                                              "/data/valid",
                                              "/data/cache",
                                              "/tokenizer/source",
                                              "/tokenizer/target"};
  std::vector<std::string> changed;
  auto all = differences(begun, now);
  // The bundle first: without it the shape may be another one too.
  std::ranges::stable_partition(all, [](const Difference& one) { return one.pointer == "/training/finetune_from"; });
  for (const Difference& one : all) {
    if (one.pointer == "/training/finetune_from" && same_place(one.before, one.after)) continue;
    const bool moved = one.pointer == "/data/corpora" && same_but_files(begun.at("data"), now.at("data"));
    const bool free = moved || std::ranges::find(kFree, one.pointer) != kFree.end();
    std::string name = one.pointer.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    if (!free) {
      fail<ConfigError>(name, ": the run was begun with ", one.before, " and cannot be resumed with ", one.after,
                        "; use the old setting, another --model folder, or --overwrite to start a new run");
    }
    changed.push_back(name + ": " + one.before + " before, " + one.after + " from now on");
  }
  return changed;
}

}  // namespace ventris::training
