#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ventris::model {

/// A value of a pickle. Its texts and its items are not copied, whatever refers to them.
struct PickleValue {
  enum class Kind : uint8_t { kOther, kNumber, kText, kGlobal, kTuple, kDictionary, kObject, kStorage, kTensor };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::kOther;
  int64_t number = 0;
  std::string_view text = {};     ///< of a text; of a class or function "MODULE\nNAME"
  uint32_t block = kNone;  ///< the first block of its items; of dictionaries and objects keys and values by turns
  uint32_t last_block = kNone;  ///< of a dictionary
};

/// The stack machine of pickles (protocol 2), as far as torch.jit.save uses it, and torch.save for tensors. It owns all
/// values, so that those that contain each other do no harm. Nothing is run: classes and functions are only names.
///
/// It needs memory and time in proportion to the pickle: at most kMostInstructions instructions, which add at most one
/// value each. (A model of 80,000 tensors has fewer.)
class PickleMachine {
 public:
  using Items = std::span<PickleValue* const>;
  static constexpr size_t kMostInstructions = 4'000'000;

  /// Errors begin with `where`. `bytes` must live as long as the machine.
  PickleMachine(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}
  PickleMachine(const PickleMachine&) = delete;
  PickleMachine& operator=(const PickleMachine&) = delete;

  /// The value that the pickle describes. Throws ModelError.
  const PickleValue& run();

  /// The items of a tuple, a storage or a tensor, and those in one block of a dictionary or an object.
  Items items(uint32_t block) const;
  /// The block after this one.
  uint32_t next(uint32_t block) const { return blocks_[block].next; }

 private:
  using Kind = PickleValue::Kind;
  struct Block {
    uint32_t begin = 0, end = 0;  // in items_
    uint32_t next = PickleValue::kNone;
  };

  [[noreturn]] void damaged(const std::string& reason) const;
  std::string_view take(size_t count);
  template <typename Number>
  Number take_number();
  void skip_line();

  PickleValue& push(Kind kind);
  void push_number(int64_t number) { push(Kind::kNumber).number = number; }
  void push_global();
  void push_long_number();
  PickleValue& pop();
  size_t pop_mark();
  uint32_t block_of_top(size_t begin);

  void keep(uint32_t number);
  void recall(uint32_t number);
  void add_items();
  void add_item();
  void build();
  void call();
  void make_object();
  void make_tuple(size_t begin);
  void make_tuple_of(size_t count);
  void make_storage();
  void step(char code);
  void step_of_objects(char code);

  std::string_view bytes_;
  const std::string& where_;
  size_t at_ = 0;
  PickleValue other_;  // none, numbers that are not whole, lists: values of no interest, which need no memory
  PickleValue empty_tuple_{.kind = Kind::kTuple};
  std::deque<PickleValue> values_;
  std::vector<PickleValue*> items_;
  std::vector<Block> blocks_;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, PickleValue*> memory_;
};

}  // namespace ventris::model
