#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "documents/cutter.h"
#include "documents/document_translator.h"
#include "documents/markdown_keeper.h"
#include "documents/placement.h"

namespace ventris::documents {

/// A text from its request to its answer.
struct DocumentTranslator::Pending {
  translation::Request request;
  CutText cut;                     // no segments: a blank text
  std::vector<MarkdownBlock> blocks;  // of Markdown, and of documents with a writer
  std::shared_ptr<const markup::DocumentWriter> writer;
  std::vector<MaskedText> masked;      // the segments as the model gets them
  std::vector<CheckedSource> sources;  // of the segments; empty without guards
  std::vector<RecasedSentence> recased;
  std::vector<Finding> findings;
  std::vector<std::string> before;     // sentences before the text; empty without context
  size_t most_context = 0;
  std::vector<markup::BesideTexts> beside;  // what the last blocks are
  std::string after_blocks;            // what is kept behind the last one
  bool joined = false;  // the answer is made of what was kept and of translations, even if there is only one
  size_t asked = 0;     // requests to the translator so far
  std::vector<translation::Translation> translations;

  /// How many blocks are a part of the text; those behind them are `beside`.
  size_t blocks_in_text() const {
    size_t count = blocks.size();
    for (const markup::BesideTexts& texts : beside) count -= texts.blocks;
    return count;
  }
  size_t requests() const { return std::max<size_t>(cut.segments.size(), 1); }
  /// The text of a segment that the model gets in other letters; otherwise nothing.
  std::string as_written(size_t number) const {
    const auto found = std::ranges::lower_bound(recased, number, {}, &RecasedSentence::number);
    return found != recased.end() && found->number == number ? found->original : "";
  }
};

}  // namespace ventris::documents
