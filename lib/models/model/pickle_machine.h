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
  enum class Kind : uint8_t {
    kOther,
    kNone,
    kFlag,
    kNumber,
    kReal,
    kText,
    kGlobal,
    kTuple,
    kList,
    kDictionary,
    kObject,
    kStorage,
    kTensor
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::kOther;
  int64_t number = 0;  ///< of a flag 0 or 1
  double real = 0;
  std::string_view text = {};     ///< of a text; of a class or function "MODULE\nNAME"
  uint32_t block = kNone;  ///< the first block of its items; of dictionaries and objects keys and values by turns
  uint32_t last_block = kNone;  ///< of a dictionary or a list
};

/// The stack machine of pickles (protocol 2), as far as torch.jit.save uses it, and torch.save for tensors and plain
/// values. It owns all values, so that those that contain each other do no harm. Nothing is run: classes and functions
/// are only names.
///
/// It needs memory and time in proportion to the pickle: at most kMostInstructions instructions, which add at most one
/// value each. (A model of 80,000 tensors has fewer.)
class PickleMachine {
 public:
  using Items = std::span<PickleValue* const>;
  static constexpr size_t kMostInstructions = 4'000'000;
  /// Which classes and functions may be named: all; or only those of pickle_names.h, of which is known that they are
  /// data.
  enum class Names : uint8_t { kAll, kKnown };

  /// Errors begin with `where`. `bytes` must live as long as the machine.
  PickleMachine(std::string_view bytes, const std::string& where, Names names = Names::kAll)
      : bytes_(bytes), where_(where), names_(names) {}
  PickleMachine(const PickleMachine&) = delete;
  PickleMachine& operator=(const PickleMachine&) = delete;

  /// The value that the pickle describes. Throws ModelError.
  const PickleValue& run();

  /// The items of a tuple, a storage or a tensor, and those in one block of a list, a dictionary or an object.
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
  void push_real();
  PickleValue& pop();
  size_t pop_mark();
  uint32_t block_of_top(size_t begin);

  void keep(uint32_t number);
  void recall(uint32_t number);
  void append(PickleValue& container, size_t begin);
  void add_items();
  void add_item();
  void add_to_list(size_t begin);
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
  Names names_;
  size_t at_ = 0;
  PickleValue other_;  // values of no interest, which need no memory, as those below
  PickleValue none_{.kind = Kind::kNone}, false_{.kind = Kind::kFlag}, true_{.kind = Kind::kFlag, .number = 1};
  PickleValue empty_tuple_{.kind = Kind::kTuple};
  std::deque<PickleValue> values_;
  std::vector<PickleValue*> items_;
  std::vector<Block> blocks_;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, PickleValue*> memory_;
};

}  // namespace ventris::model
