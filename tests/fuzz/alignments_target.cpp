#include "alignment/aligner.h"
#include "alignment/drawn_pairs.h"
#include "alignment/model_file.h"
#include "evaluation/alignment_error.h"
#include "filters/moses.h"
#include "fuzz/targets.h"
#include "text/word_links.h"

/// Links between words, n-best lists, and models of ventris-align.
namespace ventris::fuzz {
namespace {

void read_alignments(std::string_view input) {
  const auto [links, gold] = halves_of(input);
  const std::string path = file_with(links, "links"), gold_path = file_with(gold, "gold");
  if (const auto parsed = text::parse_links(first_line_of(links).first)) {
    require(text::parse_links(text::format_links(*parsed)) == parsed, "links come back");
  }
  static_cast<void>(evaluation::evaluate_alignments(path, gold_path, {}, {}));
}

void read_n_best(std::string_view input) {
  const auto [weights, rest] = first_line_of(input);
  const auto parsed = filters::parse_features(weights);
  auto line = filters::MosesLine::parse(rest.substr(0, rest.find('\n')), "line 1");
  require(line.to_text() == rest.substr(0, rest.find('\n')) || !line.to_text().empty(), "a line comes back");
  if (!line.has_feature("New")) line.add_feature("New", "-1.5");
  require(line.has_feature("New"), "a feature that is added is there");
  if (parsed) static_cast<void>(line.weighted(*parsed, "New", "line 1"));
  line.set_total("-2");
  static_cast<void>(filters::MosesLine::parse(line.to_text(), "again"));
}

void read_alignment_model(std::string_view input) {
  auto saved = alignment::read_model(file_with(input, "model"));
  const std::vector<std::string_view> source{"s0e", "s1e"}, target{"ta0", "of", "new"};
  saved.pairs.add(source, target);
  alignment::link_pairs(saved.pairs, saved.model, {.probabilities = true}, [](const alignment::AlignedPair& pair) {
    for (const auto& link : pair.links) require(link.source < 2 && link.target < 3, "links are between words");
  });
}

std::vector<std::string> alignment_model_seeds() {
  const auto pairs = test::drawn_pairs(8);
  const std::string path = folder().path("written.model");
  files::OutputFile output(path, files::Packing::kBySuffix);
  alignment::write_model(output, pairs, alignment::estimate_alignment(pairs, {}).model, metrics::Division::kTokenized);
  output.commit();
  return {test::file_bytes(path)};
}

const Registration kAlignments("alignments", read_alignments);
const Registration kNBest("n_best", read_n_best);
const Registration kAlignmentModel("alignment_model", read_alignment_model, alignment_model_seeds);

}  // namespace
}  // namespace ventris::fuzz
