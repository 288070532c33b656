#include <nlohmann/json.hpp>

#include "core/error.h"
#include "exports/stored_zip.h"
#include "fuzz/targets.h"
#include "fuzz/zip_checksums.h"
#include "imports/model_files.h"
#include "model/pickle_reader.h"
#include "model/zip_archive.h"
#include "model/zip_layout.h"
#include "support/raw_zip.h"

/// Zip archives, and the pickles of torch.save in them.
namespace ventris::fuzz {
namespace {

const std::string kData = VENTRIS_SOURCE "/tests/imports/data/";

void read_zip(std::string_view input) {
  const std::string path = file_with(input, "archive.zip");
  const auto files = imports::files_of_zip(path, "");
  for (const char* name : {"a", "b/c", "metadata.json"}) {
    if (files->contains(name)) static_cast<void>(files->read(name));
  }
  size_t bytes = 0;
  for (const auto& [name, content] : model::ZipArchive::open(path, path, model::ZipArchive::all).entries)
    bytes += content.size();
  require(bytes <= input.size(), "what is kept is not larger than the file");
}

std::vector<std::string> zip_seeds() {
  exports::StoredZip stored;
  stored.add("top/a", "content");
  stored.add("top/extra/config.json", "{}");
  test::RawZip raw;
  raw.put("a", "1");
  raw.put("b/c", "22");
  return {std::move(stored).finish(), raw.finish(), raw.finish("a comment")};
}

void read_pickle(std::string_view input) {
  try {
    static_cast<void>(model::read_pickled_tensors(input, "data.pkl"));
  } catch (const Error&) {  // it may be a checkpoint with other things in it
  }
  static_cast<void>(model::pickled_keys(input, "data.pkl"));
  nlohmann::json values;
  const auto tensors = model::read_pickled_checkpoint(
      input, "data.pkl", {{"model", "model_state", "generator"}, {"args", "cfg", "opt", "vocab", "epoch"}}, values);
  for (const auto& tensor : tensors) require(tensor.shape.size() == tensor.strides.size(), "each length has a stride");
  static_cast<void>(values.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::vector<std::string> pickle_seeds() {
  std::vector<std::string> seeds;
  for (const char* name :
       {"fairseq_post/model.pt", "joeynmt_pre/best.ckpt", "opennmt_words/model.pt", "pytorch_shared.pt"}) {
    const std::string path = file_with(without_checksums(test::file_bytes(kData + name)));
    seeds.push_back(model::ZipArchive::open(path, path, model::ZipArchive::all).entries.at("data.pkl"));
  }
  return seeds;
}

const Registration kZip("zip", read_zip, zip_seeds);
const Registration kPickle("pickle", read_pickle, pickle_seeds);

}  // namespace
}  // namespace ventris::fuzz
