#include "decoding/scorer_library.h"

namespace ventris::decoding {

const char* scorer_interface() { return VENTRIS_SCORER_INTERFACE; }

}  // namespace ventris::decoding
