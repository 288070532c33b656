#pragma once
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "documents/document_translator.h"
#include "metrics/unicode.h"
#include "support/copy_model.h"

namespace ventris::test {

/// How often a part occurs in a text.
inline size_t count_of(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// Translates documents with a model that is a table.
class TableDocuments {
 public:
  TableDocuments(const documents::DocumentOptions& options, const Table& table, int64_t max_length = 64)
      : package_(copying_package(max_length)),
        translator_(package_, std::make_shared<TableFactory>(table, info_of(package_), Ids{0, 1, 2}),
                    greedy(documents::translator_options(options, {}))),
        documents_(translator_, options) {}

  std::vector<documents::Answer> answers_to(const std::vector<std::string>& texts) const {
    std::vector<documents::Answer> answers;
    size_t next = 0;
    documents_.run(
        [&](translation::Request& request) {
          if (next == texts.size()) return false;
          request.text = texts[next++];
          return true;
        },
        [] { return true; }, [&](const documents::Answer& answer) { answers.push_back(answer); });
    return answers;
  }

 private:
  static translation::TranslatorOptions greedy(translation::TranslatorOptions options) {
    options.search.beam_size = 1;
    return options;
  }

  const model::Package package_;
  const translation::Translator translator_;
  const documents::DocumentTranslator documents_;
};

/// Answers of such a model.
inline std::vector<documents::Answer> translate_documents(const std::vector<std::string>& texts,
                                                          const documents::DocumentOptions& options, const Table& table,
                                                          int64_t max_length = 64) {
  return TableDocuments(options, table, max_length).answers_to(texts);
}

/// A document whose sentences were changed instead of translated.
struct ChangedDocument {
  documents::Answer answer;
  std::vector<std::string> sentences;  ///< that the model would have got
};

enum class WordOrder { kSame, kReversed };

/// Puts `change` of each sentence in the place of its translation. Its words are linked to those of the sentence one by
/// one, in this order.
inline ChangedDocument change_document(const std::string& document, const documents::DocumentOptions& options,
                                       const std::function<std::string(const std::string&)>& change, WordOrder order) {
  const model::Package package = copying_package();
  const translation::Translator translator(package, copy_factory(package), documents::translator_options(options, {}));
  const documents::DocumentTranslator documents(translator, options);
  const documents::DocumentTranslator::Text text = documents.begin({.text = document, .prefix = ""});
  std::vector<std::string> sentences;
  std::vector<translation::Translation> translations;
  for (const translation::Request& request : text.requests()) {
    sentences.push_back(request.text);
    translation::Candidate& best = translations.emplace_back().candidates.emplace_back();
    best.text = change(request.text);
    const auto words = static_cast<int64_t>(
        std::min(metrics::split_words(request.text).size(), metrics::split_words(best.text).size()));
    for (int64_t word = 0; word < words; ++word) {
      best.links.push_back({word, order == WordOrder::kSame ? word : words - 1 - word});
    }
  }
  return {documents.finish(text, translations), std::move(sentences)};
}

/// A bad model: it loses, repeats and exchanges tokens of its source, in a way that depends on the source and `seed`.
inline Table careless_table(int32_t vocab, uint32_t seed) {
  return [vocab, seed](const Ids& source, const Ids& prefix) {
    uint32_t state = seed;
    for (const int32_t id : source) state = state * 31 + static_cast<uint32_t>(id);
    const auto draw = [&](uint32_t below) {
      state = state * 1664525 + 1013904223;
      return (state >> 16) % below;
    };
    Ids plan;
    for (const int32_t id : source) {
      const uint32_t kind = draw(8);
      if (id == 3 || kind == 0) continue;
      plan.push_back(id);
      if (kind == 1) plan.push_back(id);
      if (kind == 2) std::swap(plan.front(), plan.back());
    }
    std::vector<double> weights(static_cast<size_t>(vocab), 1e-6);
    weights[static_cast<size_t>(prefix.size() < plan.size() ? plan[prefix.size()] : 3)] = 1.0;
    return log_shares(weights);
  };
}

}  // namespace ventris::test
