if(VENTRIS_LEARNING)
  ventris_test(backend TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/attention_maps_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/encoder_weights_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/families_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/memory_needs_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_weights_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/nat_pair_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/nat_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/open_model_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/pair_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/scorer_tools_test.cpp
    LINKS ventris_backend)
endif()
