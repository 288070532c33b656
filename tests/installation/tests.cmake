ventris_test(installation
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/libtorch_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/near_program_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/python_package_test.cpp
  LINKS ventris_installation)
target_compile_definitions(test_installation PRIVATE VENTRIS_LIBDIR="${CMAKE_INSTALL_LIBDIR}")
