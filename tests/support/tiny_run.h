#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "files/files.h"
#include "files/folders.h"
#include "support/tiny_bundle.h"

namespace ventris::test {

/// What state.json of a checkpoint says, as far as a reader of it may rely on it.
inline std::string tiny_state(int updates) {
  return R"({"state":{"version":1,"progress":{"updates":)" + std::to_string(updates) +
         R"(,"epoch":3,"target_tokens":9000,"minutes":0.5},"best":21.5,"finished":false},)"
         R"("config":{"model":{"d_model":4}},"environment":{"threads":1}})";
}

inline void write_tiny_checkpoint(const std::string& path, int updates) {
  TensorList moments;
  moments.add("m", {4}).add("v", {4});
  files::write_folder(path, {{"model.safetensors", tiny_weights(12)},
                             {"optimizer.safetensors", model::write_safetensors(moments.views(), {})},
                             {"state.json", tiny_state(updates)}});
}

/// A run folder as ventris-train leaves one behind that was killed while it wrote a line of metrics.jsonl.
inline void write_tiny_run(const std::string& path) {
  std::filesystem::create_directories(path);
  files::write_file(path + "/config.json", R"({"model":{"d_model":4,"heads":2}})");
  files::write_file(path + "/metrics.jsonl",
                    "{\"updates\":300,\"loss\":3.5}\n{\"updates\":500,\"loss\":2.25}\n{\"upda");
  write_tiny_checkpoint(path + "/checkpoints/step-00000400", 400);
  write_tiny_checkpoint(path + "/checkpoints/step-00000500", 500);
  std::filesystem::create_symlink("checkpoints/step-00000500", path + "/latest");
  write_tiny_bundle(path + "/best");
}

}  // namespace ventris::test
