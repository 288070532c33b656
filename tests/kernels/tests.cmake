ventris_test(kernels ALONE
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/attention_kernels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ctc_kernels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/element_kernels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/instruction_set.cpp
    ${CMAKE_CURRENT_LIST_DIR}/layer_norm_kernels_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/smoothed_loss_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/softmax_rows_test.cpp
  LINKS ventris_kernels)
# Again as processors without AVX-512 take them: vectors of 8, and the plain version of all without AVX2.
foreach(target AVX2 plain)
  add_test(NAME kernels.${target} COMMAND ${CMAKE_COMMAND} -E env VENTRIS_TEST_TARGET=${target} $<TARGET_FILE:test_kernels>)
  set_tests_properties(kernels.${target} PROPERTIES LABELS unit TIMEOUT 300 SKIP_REGULAR_EXPRESSION "this processor has no AVX2")
endforeach()
