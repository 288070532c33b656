// Trains a Transformer of Ventris in a loop of one's own. The task is a toy: to copy a sequence of numbers.
#include <torch/torch.h>
#include <ventris/families/transformer.h>
#include <ventris/nn/loss.h>
#include <ventris/nn/masks.h>
#include <ventris/nn/threads.h>

#include <cstdio>

namespace families = ventris::families;
namespace nn = ventris::nn;
using torch::indexing::None;
using torch::indexing::Slice;

namespace {

constexpr int64_t kPad = 0, kBos = 1, kEos = 2, kFirst = 3, kVocab = 13, kLength = 6;

/// Random sequences [batch, kLength].
torch::Tensor sequences(int64_t batch) { return torch::randint(kFirst, kVocab, {batch, kLength}, torch::kLong); }

/// `ids` [batch, kLength] between bos and eos.
torch::Tensor framed(const torch::Tensor& ids) {
  const auto column = [&](int64_t id) { return torch::full({ids.size(0), 1}, id, torch::kLong); };
  return torch::cat({column(kBos), ids, column(kEos)}, 1);  // [batch, kLength + 2]
}

/// Mean loss of a batch in nats per token, after one update.
double update(families::EncoderDecoder& model, torch::optim::Adam& optimizer, const torch::Tensor& source) {
  const torch::Tensor target = framed(source);
  const torch::Tensor seen = target.index({Slice(), Slice(None, -1)});  // what the decoder reads
  const torch::Tensor wanted = target.index({Slice(), Slice(1)}).flatten();
  const torch::Tensor hidden =
      model->forward(source, seen, nn::padding_mask(source, kPad), nn::target_mask(seen, kPad));
  const auto& output = model->generator->proj;
  const nn::LossResult sums =
      nn::generator_loss(hidden.flatten(0, 1), output->weight, output->bias, wanted, {.pad = kPad});
  optimizer.zero_grad();
  (sums.loss / wanted.numel()).backward();
  optimizer.step();
  return sums.nll.item<double>() / static_cast<double>(wanted.numel());
}

/// The best target of each source [batch, kLength], token by token.
torch::Tensor decoded(families::EncoderDecoder& model, const torch::Tensor& source) {
  const torch::NoGradGuard no_gradient;
  const nn::Memory memory = model->encode(source, nn::padding_mask(source, kPad));
  torch::Tensor target = torch::full({source.size(0), 1}, kBos, torch::kLong);
  while (target.size(1) <= kLength) {
    const torch::Tensor hidden = model->decode(memory, target, nn::subsequent_mask(target.size(1)));
    const torch::Tensor best = model->log_probs(hidden.select(1, -1)).argmax(-1, true);  // [batch, 1]
    target = torch::cat({target, best}, 1);
  }
  return target.index({Slice(), Slice(1)});
}

}  // namespace

int main() {
  nn::use_one_thread_per_operation();  // so small a model gains nothing from more
  torch::manual_seed(1);
  nn::TransformerOptions options;
  options.src_vocab = options.tgt_vocab = kVocab;
  options.d_model = 32;
  options.d_ff = 64;
  options.heads = 4;
  options.encoder_layers = options.decoder_layers = 1;
  options.dropout = 0;
  options.max_positions = 16;
  families::EncoderDecoder model = families::make_model(options);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(3e-3));

  constexpr int64_t kUpdates = 400;
  for (int64_t i = 1; i <= kUpdates; ++i) {
    const double loss = update(model, optimizer, sequences(32));
    if (i == 1 || i % 50 == 0) std::printf("update %3d: %.4f nats per token\n", static_cast<int>(i), loss);
  }

  model->eval();
  const torch::Tensor source = sequences(100);
  const double right = (decoded(model, source) == source).all(1).to(torch::kDouble).mean().item<double>();
  std::printf("copied without a mistake: %.0f %%\n", 100 * right);
}
