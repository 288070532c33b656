#include "translation/model_text.h"

#include "core/error.h"
#include "text/utf8.h"

namespace ventris::translation {
namespace {

text::Tokenizer checked(text::Tokenizer tokenizer, const std::string& where, int64_t vocab) {
  if (tokenizer.size() != vocab) {
    fail<ModelError>(where, ": the tokenizer has ", tokenizer.size(), " pieces, the model's vocabulary ", vocab);
  }
  return tokenizer;
}

}  // namespace

text::Tokenizer source_tokenizer(const model::Package& package) {
  const std::string where = package.path + ": source.spm";
  return checked({package.source_spm, where}, where, package.config.architecture->src_vocab());
}

text::Tokenizer target_tokenizer(const model::Package& package, const text::Tokenizer& source) {
  const std::string where = package.path + ": target.spm";
  const bool same = package.target_spm == source.bytes();
  return checked(same ? source : text::Tokenizer(package.target_spm, where), where,
                 package.config.architecture->tgt_vocab());
}

EncodedSource encode_source(const std::string& text, const text::Tokenizer& tokenizer,
                            const model::TokenizerPolicy& policy, int64_t max_length) {
  EncodedSource source;
  if (!text::is_blank(text)) source.ids = tokenizer.encode(text);
  if (source.ids.empty()) return source;
  const auto most = static_cast<size_t>(max_length - (policy.source_eos ? 1 : 0));
  source.cut = source.ids.size() > most;
  if (source.cut) source.ids.resize(most);
  if (policy.source_eos) source.ids.push_back(policy.ids.eos);
  return source;
}

void check_workers(int threads) {
  if (threads < 1 || threads > kMostWorkers) {
    fail<ConfigError>("threads: must be from 1 to ", kMostWorkers, ", got ", threads);
  }
}

}  // namespace ventris::translation
