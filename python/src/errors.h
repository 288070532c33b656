#pragma once

namespace ventris::python {

/// From now on, the errors of core/error.h reach Python as the classes of the same names in ventris.errors.
void register_errors();

}  // namespace ventris::python
