#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// The arithmetic of the engine: plain pointers to rows of floats and to packed weights. Every function has one version
/// for each instruction set. A result does not depend on how many rows are computed together.
namespace ventris::arithmetic {

/// Packed matrices consist of panels of this many columns; the last one is padded with zeros.
inline constexpr int64_t kPanel = 16;

/// In products of bytes, the largest size of a weight, and of the sum of two neighbours in a column (those of the
/// inputs 0 and 1, 2 and 3, ...). Times the largest input, 255, it fits into 16 bits.
inline constexpr int32_t kLargestPair = 128;

/// The number of panels of n columns.
constexpr int64_t panels_of(int64_t n) { return (n + kPanel - 1) / kPanel; }

enum class Activation { kNone, kRelu, kGelu, kSilu, kGeluTanh, kGeluSigmoid };

/// What a result x does with an element of c: c = x, c += x, or c *= x.
enum class Update { kReplace, kAdd, kMultiply };

/// What a product does with each element of its result x = activation(a b + bias).
struct Epilogue {
  const float* bias = nullptr;  ///< [panels_of(n) * kPanel] or null
  Activation activation = Activation::kNone;
  Update update = Update::kReplace;
};

/// a [rows, k] times b [k, n] -> c [rows, n]. b is packed: [panels_of(n)][k][kPanel].
struct ProductF32 {
  const float* a;
  int64_t lda;  ///< elements from one row of a to the next
  int64_t rows;
  const float* b;
  int64_t k;
  int64_t n;
  float* c;
  int64_t ldc;
  Epilogue epilogue = {};
  int64_t panel_stride = 0;  ///< elements from one panel of b to the next; 0 = k * kPanel
};

/// The same in 8-bit integers. b is packed: [panels_of(n)][ceil(k / 4)][kPanel][4]. The sums are exact if b
/// keeps to kLargestPair: the instruction of AVX2 adds the products of two neighbours in 16 bits.
struct ProductInt8 {
  const uint8_t* a;        ///< [rows, 4 * ceil(k / 4)], the values plus 128, padded with 128
  const float* row_scale;  ///< [rows]: what 1 in a stands for
  int64_t rows;
  const int8_t* b;
  const float* column_scale;   ///< [panels_of(n) * kPanel]: what 1 in b stands for
  const int32_t* column_sum;   ///< [panels_of(n) * kPanel]: 128 times the sum of each column of b
  int64_t k;
  int64_t n;
  float* c;
  int64_t ldc;
  Epilogue epilogue = {};
};

/// The same in bf16, with sums in f32. b is packed: [panels_of(n)][ceil(k / 2)][kPanel][2].
struct ProductBf16 {
  const uint16_t* a;  ///< [rows, 2 * ceil(k / 2)], padded with zeros
  int64_t rows;
  const uint16_t* b;
  int64_t k;
  int64_t n;
  float* c;
  int64_t ldc;
  Epilogue epilogue = {};
};

/// Attention of one query to earlier positions, whose keys and values are anywhere in memory.
struct StepAttention {
  const float* query;  ///< [heads * d_k], already scaled
  const float* const* positions;  ///< [count]: keys [heads * d_k] followed by values [heads * d_v]
  int64_t count;
  int64_t heads, d_k, d_v;
  float* weights;  ///< memory for [heads, step_stride(count)]; afterwards the attention weights, of which `count` count
  float* out;  ///< [heads * d_v]
  bool add = false;  ///< scores are added to what is in `weights`
  const float* vector = nullptr;  ///< [heads * d_k]: the score of a query q and a key k in a head is vector . tanh(q +
                                  ///< k). Null: it is q . k
  const float* const* next =
      nullptr;  ///< [next_count]: the positions of the next query, which are fetched into the cache
  int64_t next_count = 0;
};

/// The elements from the weights of one head to those of the next in StepAttention.
constexpr int64_t step_stride(int64_t count) { return panels_of(count) * kPanel; }

/// Attention of queries to a sequence whose keys and values are packed, head after head.
struct PackedAttention {
  const float* queries;  ///< [rows, heads * d_k], already scaled
  int64_t ldq;  ///< elements from one row of queries to the next
  int64_t rows;
  const float* keys;  ///< of the first head, [panels_of(len)][d_k][kPanel]
  const float* terms;  ///< of the first head, [panels_of(len)][kPanel], added to the scores of keys; or null
  const float* values;  ///< of the first head, [panels_of(d_v)][len][kPanel]
  int64_t head_size;  ///< elements from keys, terms and values of a head to those of the next
  int64_t len, heads, d_k, d_v;
  float* scores;  ///< memory for packed_scores_size(len)
  float* out;  ///< [rows, heads * d_v]
  float* weights;  ///< null, or gets the attention weights [rows, heads, len]
  const float* next =
      nullptr;  ///< the first head of the sequence that will be next, or null: it is fetched into the cache
  int64_t next_head_size = 0;
  bool causal = false;  ///< query i sees only the positions up to i; `rows` is at most `len`, `weights` is null
};

/// The floats of PackedAttention::scores: those of 8 rows.
constexpr int64_t packed_scores_size(int64_t len) { return 8 * panels_of(len) * kPanel; }

/// One position of linear attention: its key and value are added to the sums of a prefix, whose mean is then taken.
struct LinearStep {
  const float* query;  ///< [heads * d_k], features
  const float* key;  ///< [heads * d_k], features
  const float* value;  ///< [heads * d_v]
  int64_t heads, d_k, d_v;
  float smallest;  ///< a smaller sum of the weights counts as this
  float* sums;  ///< linear_sums_size(): of each head, the keys times values [d_k, d_v], then the keys [d_k]
  float* out;  ///< [heads * d_v]
};

/// One position of an SSRU: cell = forget * cell + (1 - forget) * input, with the sigmoid of `forget`; out =
/// relu(cell).
struct SsruStep {
  const float* input;  ///< [width]
  const float* forget;  ///< [width], before the sigmoid
  int64_t width;
  float* cell;  ///< [width], of a prefix
  float* out;  ///< [width]
};

/// The floats of LinearStep::sums.
constexpr int64_t linear_sums_size(int64_t heads, int64_t d_k, int64_t d_v) { return heads * d_k * (d_v + 1); }

/// What is known of a row of logits after some of its columns.
struct RunningSum {
  float largest;
  float sum;  ///< of exp(logit - largest)
};

/// Logits x [rows, count], with `ldx` elements from row to row.
struct Logits {
  const float* x;
  int64_t ldx, rows, count;
};

struct Kernels {
  const char* name;
  void (*product_f32)(const ProductF32&);
  void (*product_int8)(const ProductInt8&);
  void (*product_bf16)(const ProductBf16&);
  /// x [rows, k] -> a and row_scale of ProductInt8. A row with an element that is not finite gets the scale NaN.
  void (*quantise)(const float* x, int64_t ldx, int64_t rows, int64_t k, uint8_t* a, float* row_scale);
  /// x [rows, k] -> a of ProductBf16, rounded to nearest even.
  void (*to_bf16)(const float* x, int64_t ldx, int64_t rows, int64_t k, uint16_t* a);
  /// out [rows, width] = gain * (x - mean) / sqrt(variance + epsilon) + bias. May be in place.
  void (*layer_norm)(const float* x, int64_t rows, int64_t width, const float* gain, const float* bias, float epsilon,
                     float* out);
  /// out [rows, width] = gain * x / sqrt(mean of x^2 + epsilon). May be in place.
  void (*rms_norm)(const float* x, int64_t rows, int64_t width, const float* gain, float epsilon, float* out);
  /// Softmax of each row of x [rows, count], in place.
  void (*softmax)(float* x, int64_t ldx, int64_t rows, int64_t count);
  void (*step_attention)(const StepAttention&);
  void (*packed_attention)(const PackedAttention&);
  /// As product_f32, but an element of c is vector [k] . tanh(row of a + column of b). Has no epilogue.
  void (*additive_scores)(const ProductF32&, const float* vector);
  /// out [rows, heads] = the sum of the squares of each part [width] of x [rows, heads * width].
  void (*squares)(const float* x, int64_t ldx, int64_t rows, int64_t heads, int64_t width, float* out);
  /// x [rows, width] = elu(x) + 1, in place.
  void (*linear_features)(float* x, int64_t ldx, int64_t rows, int64_t width);
  void (*linear_step)(const LinearStep&);
  void (*ssru_step)(const SsruStep&);
  /// Rotates each pair of neighbours (a, b) in x [heads, width], in place: (a cos - b sin, a sin + b cos). `width` is
  /// even. turns [2, width]: the cosine of each element's pair, then its sine, negative for the first of the pair.
  void (*rotate)(float* x, int64_t heads, int64_t width, const float* turns);
  /// Adds logits to the sums [rows] of their rows. largest [rows] = the maximum of each row, or NaN if its sum has
  /// become NaN: after a logit that is NaN or +infinity, or if all logits so far are -infinity.
  void (*add_logits)(const Logits&, RunningSum* sums, float* largest);
  /// largest [rows] = the maximum of each row; NaN if a logit is NaN. Of the sums [rows], only `largest` is changed.
  void (*largest_logits)(const Logits&, RunningSum* sums, float* largest);
  /// Writes the positions of the elements of x [count] that are over `limit`, ascending. Returns their number.
  int64_t (*places_above)(const float* x, int64_t count, float limit, int32_t* places);
  /// A number that at least `rank` elements of x [count] reach, close to the largest one; -infinity if `rank` is too
  /// large or `count` too small for a quick answer. x has no NaN.
  float (*lower_bound_of)(const float* x, int64_t count, int64_t rank);
};

/// The kernels for this processor. If the environment variable VENTRIS_KERNELS names a set, that one. Throws
/// ConfigError if this processor does not have it.
const Kernels& kernels();

/// All sets that this processor can run, best first; "amx", which was never timed, only if VENTRIS_KERNELS names it.
std::vector<const Kernels*> available_kernels();

}  // namespace ventris::arithmetic
