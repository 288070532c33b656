#include "alignment/aligner.h"

#include <algorithm>

#include "core/parallel.h"
#include "core/process.h"
#include "core/progress.h"

namespace ventris::alignment {
namespace {

constexpr size_t kLinkedBlock = 64;          // pairs that a thread takes at a time
constexpr size_t kBlocksAhead = 64;    // blocks that are done before their links are passed on

AlignedPair link_pair(const SentencePairs& pairs, size_t pair, PosteriorComputer& computer,
                      const LinkingOptions& options) {
  AlignedPair aligned;
  if (!can_have_links(pairs, pair)) return aligned;
  const Posteriors& found = computer.compute(pair, {});
  const size_t sources = pairs.source(pair).size(), targets = pairs.target(pair).size();
  aligned.links = symmetrize(best_links(found.forward, sources, targets, false),
                             best_links(found.backward, sources, targets, true), options.symmetrization);
  if (!options.probabilities) return aligned;
  for (const Link link : aligned.links) {
    const auto source = static_cast<size_t>(link.source), target = static_cast<size_t>(link.target);
    aligned.probabilities.push_back(
        (found.forward[target * sources + source] + found.backward[source * targets + target]) / 2);
  }
  return aligned;
}

}  // namespace

Links best_links(const std::vector<float>& posteriors, size_t sources, size_t targets, bool backward) {
  Links links;
  const size_t states = backward ? targets : sources, positions = backward ? sources : targets;
  for (size_t position = 0; position < positions; ++position) {
    const auto row = std::span(posteriors).subspan(position * states, states);
    const auto best = std::ranges::max_element(row);
    float linked = 0;
    for (const float probability : row) linked += probability;
    if (*best <= 1 - linked) continue;
    const auto here = static_cast<int32_t>(position), there = static_cast<int32_t>(best - row.begin());
    links.push_back(backward ? Link{here, there} : Link{there, here});
  }
  std::ranges::sort(links);
  return links;
}

void link_pairs(const SentencePairs& pairs, const AlignmentModel& model, const LinkingOptions& options,
                const std::function<void(const AlignedPair&)>& each) {
  const auto threads = static_cast<size_t>(std::max(options.threads, 1));
  std::vector<PosteriorComputer> computers(threads, {pairs, model, Stage::kLinking, options.spelling});
  core::Progress progress("linking words", "pairs", static_cast<double>(pairs.size()));
  std::vector<AlignedPair> aligned;
  for (size_t begin = 0; begin < pairs.size(); begin += aligned.size()) {
    aligned.assign(std::min(kLinkedBlock * kBlocksAhead, pairs.size() - begin), {});
    core::parallel_for(
        (aligned.size() + kLinkedBlock - 1) / kLinkedBlock, options.threads, [&](size_t block, int worker) {
          core::throw_if_stopped("linking words");
          const size_t first = block * kLinkedBlock, end = std::min(first + kLinkedBlock, aligned.size());
          for (size_t i = first; i < end; ++i) {
            aligned[i] = link_pair(pairs, begin + i, computers[static_cast<size_t>(worker)], options);
          }
          progress.add(static_cast<double>(end - first));
        });
    for (const AlignedPair& one : aligned) each(one);
  }
}

std::vector<Links> align(const SentencePairs& pairs, const AlignOptions& options) {
  const EstimatedModel estimated = estimate_alignment(pairs, options.estimation);
  LinkingOptions linking{.symmetrization = options.symmetrization, .threads = options.estimation.threads};
  linking.spelling = estimated.spelling;
  std::vector<Links> links;
  link_pairs(pairs, estimated.model, linking, [&](const AlignedPair& pair) { links.push_back(pair.links); });
  return links;
}

}  // namespace ventris::alignment
