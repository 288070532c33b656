#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/error.h"
#include "files/mapped_file.h"
#include "imports/byte_reader.h"
#include "imports/marian_tensors.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

constexpr uint64_t kPlain = 1, kEncrypted = 2;  // versions of the file
constexpr uint64_t kMostMarianTensors = 100000;

/// Types of elements. Marian and browsermt's Marian, of which Bergamot is made, have numbers of their own for 8 bits.
constexpr uint64_t kFloat32 = 0x0404, kInt8 = 0x0101, kIntgemm8 = 0x10001, kIntgemm8OfBergamot = 0x4101;
constexpr std::array<std::pair<uint64_t, const char*>, 19> kOtherTypes{{{0x0402, "float16"},
                                                                        {0x0408, "float64"},
                                                                        {0x0102, "int16"},
                                                                        {0x0104, "int32"},
                                                                        {0x0108, "int64"},
                                                                        {0x0201, "uint8"},
                                                                        {0x0202, "uint16"},
                                                                        {0x0204, "uint32"},
                                                                        {0x0208, "uint64"},
                                                                        {0x0802, "packed16"},
                                                                        {0x0801, "packed8"},
                                                                        {0x1801, "packed8avx2"},
                                                                        {0x2801, "packed8avx512"},
                                                                        {0x10002, "intgemm16"},
                                                                        {0x4102, "intgemm16"},
                                                                        {0x11001, "intgemm8ssse3"},
                                                                        {0x12001, "intgemm8avx2"},
                                                                        {0x14001, "intgemm8avx512"},
                                                                        {0x18001, "intgemm8avx512vnni"}}};

/// Reads a .bin file from its beginning to its end.
class MarianBin {
 public:
  explicit MarianBin(const std::string& path)
      : tensors_(path), bytes_(files::MappedFile(path).map()), reader_(bytes_.view(), path, ".bin file of Marian") {
    tensors_.keep(bytes_);
  }

  MarianTensors run() {
    check_version();
    const auto count = reader_.number<uint64_t>();
    if (count > kMostMarianTensors) damaged("it says that it has " + std::to_string(count) + " tensors");
    for (uint64_t i = 0; i < count; ++i) heads_.push_back(head());
    for (Head& one : heads_) one.name = reader_.name(one.name_size);
    for (Head& one : heads_) read_shape(one);
    reader_.take(reader_.number<uint64_t>());
    for (const Head& one : heads_) read_elements(one, reader_.take(one.size));
    return std::move(tensors_);
  }

 private:
  struct Head {
    uint64_t name_size = 0, type = 0, rank = 0, size = 0;
    std::string name = {};
    std::vector<int64_t> shape = {};
  };

  [[noreturn]] void damaged(const std::string& what) const { reader_.damaged(what); }

  void check_version() {
    const auto version = reader_.number<uint64_t>();
    if (version == kPlain) return;
    if (version == kEncrypted) {
      fail<ModelError>(tensors_.where(), ": is encrypted; decrypt it with Marian first");
    }
    fail<ModelError>(tensors_.where(), ": expected a .bin file of Marian with the file version ", kPlain, ", found ",
                     version);
  }
  Head head() {
    Head head;
    for (uint64_t* field : {&head.name_size, &head.type, &head.rank, &head.size}) *field = reader_.number<uint64_t>();
    return head;
  }
  void read_shape(Head& head) {
    if (head.rank > model::kHighestRank) damaged(head.name + " has too many dimensions");
    for (uint64_t i = 0; i < head.rank; ++i) head.shape.push_back(reader_.number<int32_t>());
  }

  void read_elements(const Head& head, std::string_view bytes) {
    for (const int64_t length : head.shape) {
      if (length < 0) damaged(head.name + " has a shape below 0");
    }
    const int64_t elements = model::elements_of(head.shape);
    if (elements < 0 || static_cast<uint64_t>(elements) > bytes.size())
      damaged(head.name + " is shorter than its shape");
    const auto count = static_cast<size_t>(elements);
    if (head.name == kMarianSettings && head.type == kInt8) return tensors_.set_settings(bytes.substr(0, count));
    if (head.type == kFloat32) return add_floats(head, bytes, count);
    if (head.type == kIntgemm8 || head.type == kIntgemm8OfBergamot) return add_bytes(head, bytes, count);
    refuse_type(head);
  }
  void add_floats(const Head& head, std::string_view bytes, size_t count) {
    if (count > bytes.size() / sizeof(float)) damaged(head.name + " is shorter than its shape");
    tensors_.add(head.name,
                 {head.shape, MarianTensors::Stored::Type::kFloat32, bytes.substr(0, count * sizeof(float))});
  }
  /// The elements, and what they were multiplied with. All matrices but embeddings are transposed.
  void add_bytes(const Head& head, std::string_view bytes, size_t count) {
    if (bytes.size() - count < sizeof(float)) damaged(head.name + " has no multiplier");
    if (head.shape.size() != 2) damaged(head.name + " is in 8 bits, but is no matrix");
    const auto multiplier = number_in<float>(bytes.substr(count));
    if (!std::isfinite(multiplier) || multiplier <= 0) {
      fail<ModelError>(tensors_.where(), ": tensor '", head.name, "': expected a multiplier over 0, found ",
                       multiplier);
    }
    const bool embeddings = head.name.find("Wemb") != std::string::npos;
    tensors_.add(head.name,
                 {head.shape, MarianTensors::Stored::Type::kInt8, bytes.substr(0, count), multiplier, !embeddings});
  }
  [[noreturn]] void refuse_type(const Head& head) const {
    std::string type = std::to_string(head.type);
    for (const auto& [number, name] : kOtherTypes) {
      if (number == head.type) type = name;
    }
    fail<ModelError>(tensors_.where(), ": tensor '", head.name, "': expected elements in float32 or intgemm8, found ",
                     type, "; convert the original .npz file instead");
  }

  MarianTensors tensors_;
  core::SharedBytes bytes_;
  ByteReader reader_;
  std::vector<Head> heads_;
};

}  // namespace

MarianTensors read_marian_bin(const std::string& path) { return MarianBin(path).run(); }

bool is_marian_bin(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // opening a pipe would wait
  std::array<char, 2 * sizeof(uint64_t)> head{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(head.data(), head.size())) return false;
  const std::string_view bytes(head.data(), head.size());
  const auto version = number_in<uint64_t>(bytes), count = number_in<uint64_t>(bytes.substr(sizeof(uint64_t)));
  return version == kEncrypted || (version == kPlain && count > 0 && count <= kMostMarianTensors);
}

}  // namespace ventris::imports
