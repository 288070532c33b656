#include "scripting/search_script_source.h"

#include <fmt/format.h>

namespace ventris::scripting::script_source {

std::string greedy(const core::SpecialIds& ids) {
  return fmt::format(R"(
def greedy(self, src: Tensor, max_len: int) -> Tensor:
    src_mask = torch.ne(src, {pad}).unsqueeze(1)
    memory = self.encode(src, src_mask)
    ids = torch.full([src.size(0), 1], {bos}, dtype=4, device=src.device)
    done = torch.zeros([src.size(0)], dtype=11, device=src.device)
    never = torch.tensor([{pad}, {unk}, {bos}], dtype=4, device=src.device)
    steps = 0
    while steps < max_len and not bool(torch.all(done)):
        size = ids.size(1)
        tgt_mask = torch.tril(torch.ones([1, size, size], dtype=11, device=src.device))
        hidden = self.decode(memory, src_mask, ids, tgt_mask)
        scores = torch.index_fill(self.generator.forward(hidden[:, -1]), 1, never, float("-inf"))
        best = torch.argmax(scores, -1).masked_fill(done, {pad})
        ids = torch.cat([ids, best.unsqueeze(1)], 1)
        done = torch.logical_or(done, torch.eq(best, {eos}))
        steps += 1
    return ids[:, 1:]
)",
                     fmt::arg("pad", ids.pad), fmt::arg("unk", ids.unk), fmt::arg("bos", ids.bos),
                     fmt::arg("eos", ids.eos));
}

namespace {

/// `rows` are the places [batch * beam] of the hypotheses under way. A place without one has the score -inf.
constexpr const char* kBeamBefore = R"(
def beam(self, src: Tensor, beam_size: int, max_length: int, alpha: float) -> Tuple[Tensor, Tensor, Tensor]:
    batch = src.size(0)
    src_mask = torch.ne(src, {pad}).unsqueeze(1)
    state = self.start(self.encode(src, src_mask), src_mask)
    never = torch.tensor([{pad}, {unk}, {bos}], dtype=4, device=src.device)
    places = torch.arange(beam_size, device=src.device)
    first = torch.arange(batch, device=src.device).unsqueeze(1) * beam_size
    ids = torch.full([batch, beam_size, max_length + 1], {pad}, dtype=4, device=src.device)
    ids[:, :, 0] = {bos}
    scores = torch.full([batch, beam_size], float("-inf"), dtype=7, device=src.device)
    scores[:, 0] = 0.0
    rows = first.squeeze(1)
    finished = torch.zeros([batch], dtype=4, device=src.device)
    best_score = torch.full([batch], float("-inf"), dtype=7, device=src.device)
    best_ids = torch.full([batch, max_length], {pad}, dtype=4, device=src.device)
    best_length = torch.zeros([batch], dtype=4, device=src.device)
    length = 0
)";

/// The best continuations of all hypotheses of a sentence; those that end may replace its best translation.
constexpr const char* kBeamStep = R"(    while length < max_length and rows.size(0) > 0:
        log_probs, state = self.decode_step(ids.flatten(0, 1)[rows, :length + 1], state)
        log_probs = torch.index_fill(log_probs, 1, never, float("-inf"))
        steps, tokens = torch.topk(log_probs, min(beam_size, log_probs.size(1)))
        width = tokens.size(1)
        sums = torch.full([batch * beam_size, width], float("-inf"), dtype=7, device=src.device)
        sums[rows] = steps.to(7) + scores.flatten()[rows].unsqueeze(1)
        found = torch.full([batch * beam_size, width], {pad}, dtype=4, device=src.device)
        found[rows] = tokens
        sums, order = torch.sort(sums.view([batch, -1]), stable=True, dim=1, descending=True)
        sums = sums[:, :beam_size]
        order = order[:, :beam_size]
        parents = torch.floor_divide(order, width)
        chosen = torch.gather(found.view([batch, -1]), 1, order)
        ids = torch.gather(ids, 1, parents.unsqueeze(2).expand([-1, -1, max_length + 1]))
        length += 1
        ids[:, :, length] = chosen
        kept = torch.logical_and(torch.isfinite(sums), torch.lt(places, (beam_size - finished).unsqueeze(1)))
        ended = torch.logical_and(kept, torch.logical_or(torch.eq(chosen, {eos}), torch.tensor(length == max_length)))
        final = (sums / float(length) ** alpha).masked_fill(torch.logical_not(ended), float("-inf"))
        score, place = torch.max(final, 1)
        better = torch.gt(score, best_score)
        winner = torch.gather(ids, 1, place.view([-1, 1, 1]).expand([-1, 1, max_length + 1])).squeeze(1)
        best_ids = torch.where(better.unsqueeze(1), winner[:, 1:], best_ids)
        best_length = best_length.masked_fill(better, length)
        best_score = torch.where(better, score, best_score)
        finished = finished + torch.sum(ended, [1])
        possible = torch.gt(sums / float(max_length) ** alpha, best_score.unsqueeze(1))
        alive = torch.logical_and(kept, torch.logical_and(torch.logical_not(ended), possible))
        scores = sums.masked_fill(torch.logical_not(alive), float("-inf"))
        number = torch.zeros([batch * beam_size], dtype=4, device=src.device)
        number[rows] = torch.arange(rows.size(0), device=src.device)
        rows = torch.nonzero(alive.flatten()).squeeze(1)
        before = number[(parents + first).flatten()[rows]]
        state = [tensor.index_select(0, before) for tensor in state]
)";

constexpr const char* kBeamAfter = R"(    longest = int(torch.max(best_length))
    past = torch.ge(torch.arange(longest, device=src.device), best_length.unsqueeze(1))
    return (best_ids[:, :longest].masked_fill(past, {pad}), best_length, best_score)
)";

}  // namespace

std::string beam(const core::SpecialIds& ids) {
  const std::string text = std::string(kBeamBefore) + kBeamStep + kBeamAfter;
  return fmt::format(fmt::runtime(text), fmt::arg("pad", ids.pad), fmt::arg("unk", ids.unk), fmt::arg("bos", ids.bos),
                     fmt::arg("eos", ids.eos));
}

std::string steps_without_cache() {
  return R"(
def start(self, memory: Tensor, src_mask: Tensor) -> List[Tensor]:
    return [memory, src_mask]

def decode_step(self, tgt: Tensor, state: List[Tensor]) -> Tuple[Tensor, List[Tensor]]:
    size = tgt.size(1)
    tgt_mask = torch.tril(torch.ones([1, size, size], dtype=11, device=tgt.device))
    hidden = self.decode(state[0], state[1], tgt, tgt_mask)
    return (self.generator.forward(hidden[:, -1]), state)
)";
}

}  // namespace ventris::scripting::script_source
