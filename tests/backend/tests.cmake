if(VENTRIS_LEARNING)
  ventris_test(backend TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/module_scorer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_weights_test.cpp
    LINKS ventris_backend)
endif()
