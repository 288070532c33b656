#include "imports/huggingface_folder.h"

#include "core/error.h"
#include "files/files.h"
#include "files/paths.h"

namespace ventris::imports {

std::unique_ptr<TensorSource> huggingface_weights(const std::string& folder) {
  const std::string safetensors = folder + "/model.safetensors", pickle = folder + "/pytorch_model.bin";
  try {
    if (files::exists(safetensors)) return open_safetensors(safetensors);
    if (files::exists(pickle)) return open_state_dict(pickle);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
  for (const char* index : {"/model.safetensors.index.json", "/pytorch_model.bin.index.json"}) {
    if (!files::exists(folder + index)) continue;
    fail<ModelError>(folder, ": the weights are divided into several files; write them into one, in transformers with ",
                     "model.save_pretrained(folder, max_shard_size=\"100GB\")");
  }
  fail<ModelError>(folder, ": expected the weights as model.safetensors or pytorch_model.bin, found neither");
}

std::string huggingface_file(const std::string& folder, const std::string& name) {
  try {
    return files::read_plain_file(folder + "/" + name);
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
}

}  // namespace ventris::imports
