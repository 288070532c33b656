ventris_test(kernels
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/attention_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/elements_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/layer_norm_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/smoothed_loss_test.cpp
  LINKS ventris_kernels)
