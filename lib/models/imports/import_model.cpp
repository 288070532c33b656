#include "imports/import_model.h"

#include <utility>

#include "core/error.h"
#include "exports/huggingface.h"
#include "files/paths.h"
#include "imports/config_file.h"
#include "imports/huggingface_marian.h"

namespace ventris::imports {
namespace {

void refuse_tokenizer(const ImportOptions& options, const std::string& kind) {
  if (options.tokenizer.empty()) return;
  fail<ConfigError>("--tokenizer: ", kind, " has its tokenizers in its folder; leave it out");
}

}  // namespace

Imported import_model(const ImportOptions& options) {
  if (!files::exists(options.model)) fail<ModelError>(options.model, ": does not exist");
  if (!files::exists(options.model + "/config.json")) {
    fail<ModelError>(options.model, ": expected a folder of Hugging Face's transformers with a config.json, of a ",
                     "MarianMT or a BERT; models of other programs cannot be imported");
  }
  const ConfigFile config(options.model + "/config.json");
  const std::string type = config.text("model_type", "");
  if (type == "bert") {
    exports::Imported bert = exports::from_huggingface(options.model, options.tokenizer);
    return {std::move(bert.package), std::move(bert.weights), "a BERT of Hugging Face's transformers"};
  }
  if (type == "marian") {
    refuse_tokenizer(options, "a MarianMT");
    return from_marian_folder(options.model);
  }
  fail<ModelError>(config.path(), ": model_type: expected bert or marian, found '", type,
                   "'; other models cannot be imported");
}

}  // namespace ventris::imports
