#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "documents/document_translator.h"
#include "filters/losses.h"

namespace ventris::filters {

/// What is worth saying about the translations of a run at its end.
class TranslationReport {
 public:
  /// How the lines are numbered that a warning names.
  enum class Lines {
    kTexts,   ///< each text is one
    kOfText   ///< the (only) text is a document, whose lines count
  };

  /// `lines_before`: the number of lines before the text.
  void add(const documents::Answer& answer, int64_t lines_before, Lines lines = Lines::kTexts);

  /// The length in tokens to which the workspace cuts lines; 0 = lines are not cut because of it.
  void set_workspace_tokens(int64_t tokens) { workspace_tokens_ = tokens; }

  /// A sentence for each phrase that is not as wished (at most 20), and for each kind of warning.
  std::vector<std::string> warnings() const;

  /// The texts and translations that were cut, to which others may be added.
  Losses& losses() { return losses_; }

  int64_t texts() const { return texts_; }
  int64_t sentences() const { return sentences_; }  ///< that the model translated
  uint64_t requests() const { return requests_; }   ///< that were made of the texts (Translator::run)

 private:
  struct Noted {
    int64_t count = 0, first = 0;  // the line of the first, from 1
    void add(int64_t line) { first = count++ == 0 ? line : first; }
  };

  void note_losses(const documents::Answer& answer, int64_t lines_before, Lines lines);
  void note_unmet(const std::vector<phrases::Unmet>& all, int64_t lines_before);
  void say_unmet(std::vector<std::string>& sentences) const;
  void say_cut(std::vector<std::string>& sentences) const;

  int64_t texts_ = 0, sentences_ = 0;
  uint64_t requests_ = 0;
  int64_t workspace_tokens_ = 0;
  Noted source_cut_, truncated_;
  Losses losses_;
  documents::WarningCounts warnings_;
  std::vector<std::string> unmet_;  // sentences about the first
  int64_t unmet_count_ = 0;
};

}  // namespace ventris::filters
