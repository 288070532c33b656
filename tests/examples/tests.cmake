# The projects of examples/, built as those of users are: against what `cmake --install` puts into a folder.
ventris_test(examples WHOLE LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/examples_test.cpp LINKS ventris_translation)
target_compile_definitions(test_examples PRIVATE VENTRIS_BUILD="${CMAKE_BINARY_DIR}" VENTRIS_CMAKE="${CMAKE_COMMAND}"
  VENTRIS_GENERATOR="${CMAKE_GENERATOR}" VENTRIS_COMPILER="${CMAKE_CXX_COMPILER}"
  VENTRIS_CCACHE="$<$<BOOL:${VENTRIS_CCACHE}>:${VENTRIS_CCACHE}>"
  VENTRIS_LIBDIR="${CMAKE_INSTALL_LIBDIR}" VENTRIS_FLAGS="$<$<BOOL:${VENTRIS_SANITIZE}>:-fsanitize=address,undefined>"
  COPYING_BACKEND="$<TARGET_FILE:copying_backend>" VENTRIS_LEARNING=$<BOOL:${VENTRIS_LEARNING}>
  VENTRIS_TORCH_ROOT="${VENTRIS_TORCH_ROOT}")
add_dependencies(test_examples copying_backend programs)
