#include "settings/resumable.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "files/paths.h"

namespace ventris::settings {
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

/// Of all paths, only those of models and vectors that a run starts from are compared here. The files at the others are
/// compared when they are read.
bool is_start(const Difference& one) {
  static const std::set<std::string> starts{"/training/finetune_from", "/training/encoder_from",
                                            "/training/source_vectors", "/training/target_vectors"};
  return starts.contains(one.pointer);
}

bool same_place(const std::string& before, const std::string& after) {
  const auto place = [](const std::string& text) { return files::resolved(json::parse(text).get<std::string>()); };
  return place(before) == place(after);
}

/// Whether both have the same number of corpora with the same shares and tags. Files may have moved; their content is
/// compared when they are read.
bool same_but_files(json before, json after) {
  for (json* data : {&before, &after}) {
    for (json& corpus : (*data)["corpora"]) {
      for (auto it = corpus.begin(); it != corpus.end();) {
        it = on_resume("data.corpora[]." + it.key()) == OnResume::kKept ? std::next(it) : corpus.erase(it);
      }
    }
  }
  return before["corpora"] == after["corpora"];
}

}  // namespace

OnResume on_resume(const std::string& path) {
  static const std::map<std::string, OnResume> changes{{"training.after", OnResume::kFree},
                                                       {"training.save_every", OnResume::kFree},
                                                       {"training.report_every", OnResume::kFree},
                                                       {"training.report", OnResume::kFree},
                                                       {"training.tensorboard", OnResume::kFree},
                                                       {"training.keep_checkpoints", OnResume::kFree},
                                                       {"training.keep_best", OnResume::kFree},
                                                       {"training.average_last", OnResume::kFree},
                                                       {"training.average_best", OnResume::kFree},
                                                       {"training.threads", OnResume::kFree},
                                                       {"training.device", OnResume::kFree},
                                                       {"training.max_bad_updates", OnResume::kFree},
                                                       {"validation.every", OnResume::kFree},
                                                       {"validation.patience", OnResume::kFree},
                                                       {"validation.batch_sentences", OnResume::kFree},
                                                       {"data.train", OnResume::kMoved},
                                                       {"data.corpora[].source", OnResume::kMoved},
                                                       {"data.corpora[].target", OnResume::kMoved},
                                                       {"data.corpora[].tsv", OnResume::kMoved},
                                                       {"data.corpora[].text", OnResume::kMoved},
                                                       {"data.corpora[].labels", OnResume::kMoved},
                                                       {"data.corpora[].line_weights", OnResume::kMoved},
                                                       {"data.corpora[].links", OnResume::kMoved},
                                                       {"data.corpora[].documents", OnResume::kMoved},
                                                       {"training.guided_alignment.links", OnResume::kMoved},
                                                       {"data.valid", OnResume::kFree},
                                                       {"data.further_valid", OnResume::kFree},
                                                       {"data.further_valid[].name", OnResume::kFree},
                                                       {"data.further_valid[].files", OnResume::kFree},
                                                       {"data.further_valid[].source_language", OnResume::kFree},
                                                       {"data.further_valid[].target_language", OnResume::kFree},
                                                       {"data.cache", OnResume::kFree},
                                                       {"tokenizer.source", OnResume::kMoved},
                                                       {"tokenizer.target", OnResume::kMoved}};
  const auto found = changes.find(path);
  return found == changes.end() ? OnResume::kKept : found->second;
}

std::string name_of(OnResume change) {
  return change == OnResume::kFree ? "yes" : change == OnResume::kMoved ? "path" : "no";
}

std::vector<std::string> check_resumable(const json& begun, const json& now) {
  std::vector<std::string> changed;
  auto all = differences(begun, now);
  // A changed bundle comes first, because it explains a changed shape.
  std::stable_partition(all.begin(), all.end(), is_start);
  for (const Difference& one : all) {
    if (is_start(one) && same_place(one.before, one.after)) continue;
    const bool moved = one.pointer == "/data/corpora" && same_but_files(begun.at("data"), now.at("data"));
    std::string name = one.pointer.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    const bool free = moved || on_resume(name) != OnResume::kKept;
    if (!free) {
      fail<ConfigError>(name, ": the run was begun with ", one.before, " and cannot be resumed with ", one.after,
                        "; use the old setting, another --model folder, or --overwrite to start a new run");
    }
    changed.push_back(name + ": " + one.before + " before, " + one.after + " from now on");
  }
  return changed;
}

}  // namespace ventris::settings
