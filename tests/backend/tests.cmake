if(VENTRIS_LEARNING)
  ventris_test(backend TOGETHER 4 TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/module_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/encoder_weights_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/families_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_memory_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_weights_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/nat_pair_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_nat_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/open_module_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_pair_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/scorer_tools_test.cpp
    LINKS ventris_backend)
endif()
