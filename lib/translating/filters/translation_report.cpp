#include "filters/translation_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/human.h"

namespace ventris::filters {
namespace {

constexpr int64_t kMostNamed = 20;  // phrases that are not as wished; more are only counted

using core::plural;

const char* was(int64_t count) { return count == 1 ? "was" : "were"; }

}  // namespace

void TranslationReport::add(const documents::Answer& answer, int64_t lines_before, Lines lines) {
  ++texts_;
  sentences_ += answer.segments;
  requests_ += static_cast<uint64_t>(std::max<int64_t>(answer.segments, 1));
  std::vector<documents::Finding> findings = answer.findings;
  std::vector<phrases::Unmet> unmet = answer.translation.candidates.front().unmet;
  if (lines == Lines::kTexts) {
    for (documents::Finding& finding : findings) finding.line = 1;
    for (phrases::Unmet& phrase : unmet) phrase.line = 1;
  }
  warnings_.add(findings, lines_before + 1);
  note_unmet(unmet, lines_before);
  note_losses(answer, lines_before, lines);
  if (lines != Lines::kTexts) return;
  if (answer.translation.source_cut) source_cut_.add(lines_before + 1);
  if (answer.translation.candidates.front().truncated) truncated_.add(lines_before + 1);
}

void TranslationReport::note_losses(const documents::Answer& answer, int64_t lines_before, Lines lines) {
  for (const documents::Loss& loss : answer.losses) {
    const int64_t line = lines_before + (lines == Lines::kTexts ? 1 : loss.line);
    if (lines != Lines::kTexts) (loss.of_source ? source_cut_ : truncated_).add(line);
    losses_.add(loss.of_source ? "more tokens than allowed, cut" : "translation at the maximum length, cut", line);
  }
}

void TranslationReport::note_unmet(const std::vector<phrases::Unmet>& all, int64_t lines_before) {
  for (const phrases::Unmet& unmet : all) {
    if (unmet_count_++ >= kMostNamed) continue;
    unmet_.push_back(fmt::format("line {}: {}", lines_before + unmet.line, phrases::sentence_about(unmet)));
  }
}

std::vector<std::string> TranslationReport::warnings() const {
  std::vector<std::string> sentences;
  say_unmet(sentences);
  say_cut(sentences);
  for (std::string& sentence : warnings_.sentences()) sentences.push_back(std::move(sentence));
  return sentences;
}

void TranslationReport::say_unmet(std::vector<std::string>& sentences) const {
  sentences.insert(sentences.end(), unmet_.begin(), unmet_.end());
  const int64_t more = unmet_count_ - static_cast<int64_t>(unmet_.size());
  if (more == 0) return;
  sentences.push_back(fmt::format("{} more {} as wished; --format jsonl names all under \"unmet\"", more,
                                  more == 1 ? "phrase is not" : "phrases are not"));
}

void TranslationReport::say_cut(std::vector<std::string>& sentences) const {
  if (source_cut_.count > 0) {
    std::string sentence =
        fmt::format("{} {} had more tokens than allowed and {} cut (first: line {})", source_cut_.count,
                    plural(source_cut_.count, "line"), was(source_cut_.count), source_cut_.first);
    if (workspace_tokens_ > 0) {
      sentence +=
          fmt::format("; the workspace has room for {} tokens, a larger --workspace for more", workspace_tokens_);
    }
    sentences.push_back(std::move(sentence));
  }
  if (truncated_.count > 0) {
    sentences.push_back(fmt::format("{} {} reached the maximum length and {} cut (first: line {})", truncated_.count,
                                    plural(truncated_.count, "translation"), was(truncated_.count), truncated_.first));
  }
}

}  // namespace ventris::filters
