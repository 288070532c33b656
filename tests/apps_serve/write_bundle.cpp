#include "support/copy_model.h"

/// Writes the bundle FOLDER of a model that copies its source, for servers that a script starts.
int main(int, char** argv) { ventris::test::write_copying_bundle(argv[1]); }
