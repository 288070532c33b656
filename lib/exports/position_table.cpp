#include "exports/position_table.h"

#include "layers/sinusoids.h"

namespace ventris::exports {

std::vector<float> position_table(int64_t count, int64_t width) {
  std::vector<float> table(static_cast<size_t>(count * width));
  for (int64_t i = 0; i < count; ++i) layers::sinusoids(i, width, table.data() + i * width);
  return table;
}

}  // namespace ventris::exports
