# What `cmake --install` and cpack make, after it was moved, without the build tree and without LibTorch.
ventris_test(packages WHOLE LABEL e2e
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/launcher_test.cpp ${CMAKE_CURRENT_LIST_DIR}/packages_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/run_paths_test.cpp
  LINKS ventris_translation)
target_compile_definitions(test_packages PRIVATE VENTRIS_BUILD="${CMAKE_BINARY_DIR}" VENTRIS_CMAKE="${CMAKE_COMMAND}"
  VENTRIS_CPACK="${CMAKE_CPACK_COMMAND}" VENTRIS_LIBDIR="${CMAKE_INSTALL_LIBDIR}"
  VENTRIS_LIBEXECDIR="${VENTRIS_LIBEXEC_DIR}" VENTRIS_LEARNING=$<BOOL:${VENTRIS_LEARNING}>
  VENTRIS_TORCH_ROOT="${VENTRIS_TORCH_ROOT}" VENTRIS_TORCH_VERSION="${VENTRIS_TORCH_VERSION}"
  VENTRIS_TORCH_LIBRARIES="${VENTRIS_TORCH_LIBRARIES}")
add_dependencies(test_packages programs)
if(VENTRIS_LEARNING)
  add_dependencies(test_packages ventris_backend_library)
endif()
if(Python3_Interpreter_FOUND)
  add_test(NAME sbom COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/sbom_test.py ${PROJECT_SOURCE_DIR}
    $<TARGET_FILE:ventris-translate>)
  set_tests_properties(sbom PROPERTIES LABELS e2e)
endif()
