ventris_test(shell LABEL e2e
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/shell_files_test.cpp ${CMAKE_CURRENT_LIST_DIR}/terminal_test.cpp
  LINKS ventris_core)
add_dependencies(test_shell shell_files)
target_compile_definitions(test_shell PRIVATE VENTRIS_BUILD="${CMAKE_BINARY_DIR}" VENTRIS_CMAKE="${CMAKE_COMMAND}"
  VENTRIS_DATADIR="${CMAKE_INSTALL_DATADIR}" VENTRIS_TORCH_ROOT="${VENTRIS_TORCH_ROOT}")
