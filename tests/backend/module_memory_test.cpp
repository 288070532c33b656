#include "backend/module_memory.h"

#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

#include "architecture/rnn_options.h"
#include "architecture/transformer_nat_options.h"
#include "architecture/transformer_options.h"
#include "backend/families.h"
#include "decoding/decoder.h"
#include "decoding/stream_search.h"

namespace ventris::backend {
namespace {

/// Counts the memory of tensors.
class CountingAllocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t size) override {
    constexpr size_t kLine = 64;
    void* memory = std::aligned_alloc(kLine, (size + kLine) / kLine * kLine);
    in_use += static_cast<int64_t>(size);
    peak = std::max<int64_t>(peak, in_use);
    return {memory, new Block{memory, size}, &CountingAllocator::free_block, c10::Device(c10::kCPU)};
  }
  void copy_data(void* to, const void* from, std::size_t size) const override { default_copy_data(to, from, size); }

  static std::atomic<int64_t> in_use, peak;

 private:
  struct Block {
    void* memory;
    size_t size;
  };
  static void free_block(void* context) {
    const auto* block = static_cast<Block*>(context);
    in_use -= static_cast<int64_t>(block->size);
    std::free(block->memory);
    delete block;
  }
};
std::atomic<int64_t> CountingAllocator::in_use = 0, CountingAllocator::peak = 0;

/// Tensors are counted while this exists.
class Counting {
 public:
  Counting() : before_(c10::GetCPUAllocator()) {
    c10::SetCPUAllocator(&allocator_, 1);
    CountingAllocator::peak = CountingAllocator::in_use.load();
  }
  ~Counting() { c10::SetCPUAllocator(before_, 1); }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 private:
  static CountingAllocator allocator_;
  c10::Allocator* before_;
};
CountingAllocator Counting::allocator_;

architecture::TransformerOptions transformer(architecture::SelfAttention attention) {
  architecture::TransformerOptions options;
  options.src_vocab = options.tgt_vocab = 500;
  options.encoder_layers = 2;
  options.decoder_layers = 3;
  options.d_model = 64;
  options.d_ff = 128;
  options.heads = 4;
  options.max_positions = 300;
  options.self_attention = attention;
  options.window = options.global_positions = options.segment = options.segment_memory = 0;
  if (attention == architecture::SelfAttention::kWindow) options.window = 8;
  return options;
}

std::vector<architecture::ArchitecturePtr> some_architectures() {
  architecture::RnnOptions rnn;
  rnn.src_vocab = rnn.tgt_vocab = 500;
  rnn.d_embedding = rnn.d_hidden = 64;
  rnn.max_length = 300;
  architecture::NatOptions nat;
  nat.transformer = transformer(architecture::SelfAttention::kFull);
  return {std::make_shared<architecture::TransformerArchitecture>(transformer(architecture::SelfAttention::kFull)),
          std::make_shared<architecture::TransformerArchitecture>(transformer(architecture::SelfAttention::kWindow)),
          std::make_shared<architecture::TransformerArchitecture>(transformer(architecture::SelfAttention::kLinear)),
          std::make_shared<architecture::RnnArchitecture>(rnn), std::make_shared<architecture::NatArchitecture>(nat)};
}

std::vector<int32_t> random_ids(std::mt19937& draw, uint32_t count) {
  std::vector<int32_t> ids(count);
  for (int32_t& id : ids) id = static_cast<int32_t>(4 + draw() % 400);
  return ids;
}

std::unique_ptr<decoding::ScorerFactory> factory_of(const architecture::Architecture& architecture) {
  torch::manual_seed(3);
  const nn::Model model = make_model(architecture);
  model->eval();
  ScorerOptions options;
  options.max_length = architecture.max_length();
  return make_factory(model, architecture, options, "model");
}

class ListOfSentences : public decoding::SentenceStream {
 public:
  explicit ListOfSentences(const std::vector<decoding::Sentence>& sentences) : sentences_(sentences) {}
  const decoding::Sentence* take(const std::function<bool(const decoding::Sentence&)>& accept) override {
    return next_ < sentences_.size() && accept(sentences_[next_]) ? &sentences_[next_++] : nullptr;
  }
  void done(const decoding::Sentence&, std::vector<decoding::Hypothesis>) override {}

 private:
  const std::vector<decoding::Sentence>& sentences_;
  size_t next_ = 0;
};

/// In what follows, the fixed part, which is large, does not count.
TEST(ModuleNeeds, NoDecoderTakesMoreThanItsLoadNeeds) {
  for (const auto& architecture : some_architectures()) {
    decoding::SearchOptions search;
    if (!architecture->writing().all_at_once) search.beam_size = 4;
    decoding::MemoryNeeds needs = module_needs(*architecture, false).decoder;
    needs.fixed = 1 << 20;
    for (const uint32_t longest : {30U, 200U}) {
      std::mt19937 draw(longest);
      std::vector<decoding::Sentence> sentences;
      decoding::Load load;
      for (uint64_t i = 0; i < 12; ++i) {
        sentences.push_back({random_ids(draw, 1 + static_cast<uint32_t>(draw() % longest)), {}, i});
        load = load.plus(decoding::load_of(sentences.back(), search, architecture->max_length()));
      }
      const auto decoder = factory_of(*architecture)->make_decoder();
      const Counting counting;
      const int64_t before = CountingAllocator::in_use;
      ListOfSentences stream(sentences);
      decoder->translate(stream, search, {.tokens = 1 << 20});
      EXPECT_LE(CountingAllocator::peak - before, decoding::bytes_for(needs, load))
          << architecture->family() << ", " << longest << " tokens";
      EXPECT_GT(CountingAllocator::peak - before, decoding::bytes_for(needs, load) / 100) << "the count works";
    }
  }
}

TEST(ModuleNeeds, NoScorerOfPairsTakesMoreThanItsLoadNeeds) {
  for (const auto& architecture : some_architectures()) {
    decoding::MemoryNeeds needs = module_needs(*architecture, false).pairs;
    needs.fixed = 10 << 20;  // logits of 2,048 tokens
    for (const bool attention : {false, true}) {
      std::mt19937 draw(9);
      const auto scorer = factory_of(*architecture)->make_pair_scorer();
      if (attention && scorer->attention_shape().layers == 0) continue;
      std::vector<std::vector<int32_t>> sides;
      std::vector<decoding::Pair> pairs;
      decoding::Load load;
      for (int i = 0; i < 20; ++i) sides.push_back(random_ids(draw, 1 + static_cast<uint32_t>(draw() % 150)));
      for (size_t i = 0; i < sides.size(); i += 2) {
        pairs.push_back({sides[i], sides[i + 1], true});
        const auto longer = static_cast<int64_t>(std::max(sides[i].size(), pairs.back().tokens()));
        load = load.plus(decoding::Load::of(1, longer, longer, 1));
      }
      const Counting counting;
      const int64_t before = CountingAllocator::in_use;
      scorer->answer(pairs, {.log_probs = true, .attention = attention});
      EXPECT_LE(CountingAllocator::peak - before, decoding::bytes_for(needs, load)) << architecture->family();
    }
  }
}

/// A family that says its sizes, and one that does not.
class BagArchitecture : public architecture::TransformerArchitecture {
 public:
  explicit BagArchitecture(std::string name)
      : TransformerArchitecture(transformer(architecture::SelfAttention::kFull)), name_(std::move(name)) {}
  std::string family() const override { return name_; }

 private:
  std::string name_;
};

TEST(ModuleNeeds, TheRowOfAFamilyDecidesAndWithoutItTheSizesAreAssumed) {
  const auto make = [](const architecture::Architecture& settings) { return make_module(settings); };
  const auto sizes = [](const architecture::Architecture& settings) {
    ModelSizes found = assumed_sizes(settings);
    found.decoder_layers = 7;
    return found;
  };
  static const AddedFamily plain("bag", {make}), sized("sized-bag", {.make_module = make, .sizes = sizes});
  const BagArchitecture bag("bag"), sized_bag("sized-bag");
  const ModelSizes assumed = assumed_sizes(bag);
  EXPECT_EQ(assumed.width, 2 * bag.width());
  EXPECT_EQ(assumed.decoder_layers, 1) << "not read from the settings of a Transformer";
  EXPECT_GT(module_needs(sized_bag, false).decoder.place, 2 * module_needs(bag, false).decoder.place);
  EXPECT_EQ(module_needs(sized_bag, false).decoder.encoded_token, module_needs(bag, false).decoder.encoded_token);
}

}  // namespace
}  // namespace ventris::backend
