ventris_test(arithmetic
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/amx_emulator.cpp
    ${CMAKE_CURRENT_LIST_DIR}/amx_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/attention_kernels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/kernels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/matrix_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/products_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/chosen_columns_test.cpp
  LINKS ventris_arithmetic)
