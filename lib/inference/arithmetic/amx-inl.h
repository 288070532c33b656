// Products with AMX; included within the namespace of a set, after kernels-inl.h. A tile register has up to 16 rows of
// 64 bytes. Packed weights are already what the instructions take: 16 steps of a panel are a tile of them.
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18.

// NOLINTBEGIN(misc-definitions-in-headers): as kernels-inl.h
constexpr int64_t kTileRows = 16, kTileBytes = 64;
constexpr int64_t kTileSteps = 16;  // groups of four bytes (four of int8, two of bf16) in a row of a tile

/// What the instruction LDTILECFG reads.
struct alignas(64) TileShapes {
  uint8_t palette = 1, first_row = 0, unused[14] = {};
  uint16_t bytes[16] = {};
  uint8_t rows[16] = {};
};

ARITHMETIC_INLINE void set_tile_shapes(const TileShapes& shapes) { asm volatile("ldtilecfg %0" ::"m"(shapes)); }
ARITHMETIC_INLINE void release_tiles() { asm volatile("tilerelease"); }
template <int kTile>
ARITHMETIC_INLINE void clear_tile() {
  asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
}
/// Loads a tile whose rows are `stride` bytes apart.
template <int kTile>
ARITHMETIC_INLINE void load_tile(const void* from, int64_t stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(kTile) : "memory");
}
template <int kTile>
ARITHMETIC_INLINE void store_tile(void* to) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(kTileBytes), "i"(kTile) : "memory");
}

/// What differs between products of bytes and those of bf16: the instruction, and the element of the sums.
struct TilesOfBytes {
  template <int kSum, int kA, int kB>
  ARITHMETIC_INLINE static void multiply() {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSum), "i"(kA), "i"(kB));
  }
  static int64_t steps(int64_t k) { return (k + 3) / 4; }
};
struct TilesOfBf16 {
  template <int kSum, int kA, int kB>
  ARITHMETIC_INLINE static void multiply() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSum), "i"(kA), "i"(kB));
  }
  static int64_t steps(int64_t k) { return (k + 1) / 2; }
};

/// Where the operands of some rows and panels are, in bytes.
struct TileOperands {
  const uint8_t* a;  ///< the first row
  const uint8_t* b;  ///< the first panel
  int64_t steps;     ///< groups of four bytes in a row, and in a column
  int64_t rows;      ///< of `a`
  int64_t row_bytes() const { return 4 * steps; }
  int64_t panel_bytes() const { return steps * kTileBytes; }
};

/// The last groups of rows and panels, if they do not fill a tile, with zeros behind them.
template <int kBlocks, int kPanels>
struct LastSteps {
  ARITHMETIC_INLINE LastSteps(const TileOperands& in, int64_t first) {
    const int64_t count = in.steps - first;
    for (int64_t row = 0; row < in.rows; ++row) {
      __builtin_memcpy(a[row], in.a + row * in.row_bytes() + 4 * first, static_cast<size_t>(4 * count));
    }
    for (int64_t panel = 0; panel < kPanels; ++panel) {
      __builtin_memcpy(b[panel], in.b + panel * in.panel_bytes() + kTileBytes * first,
                       static_cast<size_t>(kTileBytes * count));
    }
  }
  alignas(64) uint8_t a[kBlocks * kTileRows][kTileBytes] = {};
  alignas(64) uint8_t b[kPanels][kTileRows * kTileBytes] = {};
};

// Of the 8 tiles, the first four are sums: of 2 blocks of rows and 2 panels (0 and 1 of the first block, 2 and 3 of the
// second), or of 1 block and 4 panels.
constexpr int kSums = 4, kSecondBlock = 2, kFirstA = 4, kFirstB = 6;

/// Adds the products of 16 groups to the sums. `a` is the first row, with `stride` bytes to the next, `b` the first
/// panel, with `panel_bytes` to the next.
template <typename Tiles, int kBlocks, int kPanels>
ARITHMETIC_INLINE void add_tiles(const uint8_t* a, int64_t stride, const uint8_t* b, int64_t panel_bytes) {
  load_tile<kFirstA>(a, stride);
  if constexpr (kBlocks == 2) load_tile<kFirstA + 1>(a + kTileRows * stride, stride);
  const auto panel = [&]<int kPanel>(Number<kPanel>) ARITHMETIC_LAMBDA {
    constexpr int kB = kFirstB + kPanel % 2;
    load_tile<kB>(b + kPanel * panel_bytes, kTileBytes);
    Tiles::template multiply<kPanel, kFirstA, kB>();
    if constexpr (kBlocks == 2) Tiles::template multiply<kSecondBlock + kPanel, kFirstA + 1, kB>();
  };
  panel(Number<0>());
  if constexpr (kPanels > 1) panel(Number<1>());
  if constexpr (kPanels > 2) panel(Number<2>());
  if constexpr (kPanels > 3) panel(Number<3>());
}

/// Calls change(the tile's number) for all sums of blocks and panels.
template <int kBlocks, int kPanels, typename Change>
ARITHMETIC_INLINE void each_sum(const Change& change) {
  change(Number<0>());
  if constexpr (kPanels > 1) change(Number<1>());
  if constexpr (kPanels > 2 || kBlocks == 2) change(Number<2>());
  if constexpr (kPanels > 3 || (kBlocks == 2 && kPanels == 2)) change(Number<3>());
}

/// sums[tile] = the products of the rows and panels of `in`; of the last block, only the rows that exist.
template <typename Tiles, int kBlocks, int kPanels, typename Element>
ARITHMETIC_INLINE void multiply_tiles(const TileOperands& in, Element (*sums)[kTileRows][kPanel]) {
  each_sum<kBlocks, kPanels>([](auto tile) ARITHMETIC_LAMBDA { clear_tile<decltype(tile)::kValue>(); });
  int64_t step = 0;
  for (; step + kTileSteps <= in.steps; step += kTileSteps) {
    add_tiles<Tiles, kBlocks, kPanels>(in.a + 4 * step, in.row_bytes(), in.b + kTileBytes * step, in.panel_bytes());
  }
  if (step < in.steps) {
    const LastSteps<kBlocks, kPanels> last(in, step);
    add_tiles<Tiles, kBlocks, kPanels>(last.a[0], kTileBytes, last.b[0], kTileRows * kTileBytes);
  }
  each_sum<kBlocks, kPanels>(
      [&](auto tile) ARITHMETIC_LAMBDA { store_tile<decltype(tile)::kValue>(sums[decltype(tile)::kValue]); });
}

/// What becomes of the sums of some rows (4 or fewer) of a panel.
template <int kRows>
ARITHMETIC_INLINE void finish_rows(const int32_t (*from)[kPanel], const ProductInt8& in, int64_t row, int64_t panel) {
  Ints offset, sums[kRows][1];
  __builtin_memcpy(&offset, in.column_sum + panel * kPanel, sizeof offset);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    __builtin_memcpy(&sums[r][0], from[r], sizeof sums[r][0]);
    sums[r][0] -= offset;
  }
  finish_int8(sums, in, row, panel);
}
template <int kRows>
ARITHMETIC_INLINE void finish_rows(const float (*from)[kPanel], const ProductBf16& in, int64_t row, int64_t panel) {
  Floats values[kRows][1];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) values[r][0] = load(from[r]);
  finish_tile(values, in, row, panel);
}

/// The products of `rows` rows (at most 16 * kBlocks) from `row` on with the panels [begin, end); the shapes of
/// the tiles are set.
template <typename Tiles, int kBlocks, typename Element, typename Product>
ARITHMETIC_INLINE void multiply_blocks(const Product& in, int64_t row, int64_t rows, int64_t begin, int64_t end) {
  constexpr int kMostPanels = kSums / kBlocks;
  const int64_t steps = Tiles::steps(in.k);
  alignas(64) Element sums[kSums][kTileRows][kPanel];
  const auto some_panels = [&](auto count, int64_t panel) ARITHMETIC_LAMBDA {
    constexpr int kCount = decltype(count)::kValue;
    const TileOperands operands{reinterpret_cast<const uint8_t*>(in.a) + row * 4 * steps,
                                reinterpret_cast<const uint8_t*>(in.b) + panel * steps * kTileBytes, steps, rows};
    multiply_tiles<Tiles, kBlocks, kCount>(operands, sums);
    for (int64_t first = 0; first < rows; first += 4) {
      for (int64_t i = 0; i < kCount; ++i) {
        const auto* from = sums[first / kTileRows * kSecondBlock + i] + first % kTileRows;
        call_tile<4>(least(4, rows - first), Number<1>(), row + first, panel + i,
                     [&](auto number, auto, int64_t r, int64_t p)
                         ARITHMETIC_LAMBDA { finish_rows<decltype(number)::kValue>(from, in, r, p); });
      }
    }
  };
  int64_t panel = begin;
  for (; panel + kMostPanels <= end; panel += kMostPanels) some_panels(Number<kMostPanels>(), panel);
  for (; panel < end; ++panel) some_panels(Number<1>(), panel);
}

/// Tiles for blocks of rows of the given sizes; none if it is 0.
ARITHMETIC_INLINE TileShapes shapes_of(int64_t first_rows, int64_t second_rows) {
  TileShapes shapes;
  const auto set = [&](int tile, int64_t rows) ARITHMETIC_LAMBDA {
    shapes.bytes[tile] = rows > 0 ? kTileBytes : 0;
    shapes.rows[tile] = static_cast<uint8_t>(rows);
  };
  for (int tile = 0; tile < kSums; ++tile) {
    set(tile, second_rows > 0 && tile >= kSecondBlock ? second_rows : first_rows);
  }
  set(kFirstA, first_rows);
  set(kFirstA + 1, second_rows);
  set(kFirstB, kTileRows);
  set(kFirstB + 1, kTileRows);
  return shapes;
}

/// All rows and panels: first pairs of whole blocks, with each pair of panels for all of them while it is in the cache,
/// then the rows that are left. A row's sums do not depend on the other rows of its tile.
template <typename Tiles, typename Element, typename Product>
ARITHMETIC_INLINE void product_in_tiles(const Product& in) {
  const int64_t panels = panels_of(in.n), whole = in.rows / (2 * kTileRows) * (2 * kTileRows);
  if (whole > 0) {
    set_tile_shapes(shapes_of(kTileRows, kTileRows));
    for (int64_t panel = 0; panel < panels; panel += 2) {
      for (int64_t row = 0; row < whole; row += 2 * kTileRows) {
        multiply_blocks<Tiles, 2, Element>(in, row, 2 * kTileRows, panel, least(panel + 2, panels));
      }
    }
  }
  const int64_t rows = in.rows - whole;
  if (rows > kTileRows) {
    set_tile_shapes(shapes_of(kTileRows, rows - kTileRows));
    multiply_blocks<Tiles, 2, Element>(in, whole, rows, 0, panels);
  } else if (rows > 0) {
    set_tile_shapes(shapes_of(rows, 0));
    multiply_blocks<Tiles, 1, Element>(in, whole, rows, 0, panels);
  }
  release_tiles();
}

/// Fewer rows than these are multiplied without tiles in int8, where the sums are exact either way.
constexpr int64_t kFewestRowsInTiles = 8;

void product_int8_in_tiles(const ProductInt8& given) {
  const ProductInt8 in = given;  // a copy, which no write to c can change
  if (in.rows < kFewestRowsInTiles) return product_int8(in);
  product_in_tiles<TilesOfBytes, int32_t>(in);
}

void product_bf16_in_tiles(const ProductBf16& given) {
  const ProductBf16 in = given;  // a copy, which no write to c can change
  if (in.rows > 0) product_in_tiles<TilesOfBf16, float>(in);
}
// NOLINTEND(misc-definitions-in-headers)
