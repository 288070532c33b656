if(VENTRIS_LEARNING)
  ventris_test(engine_parity TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/nat_parity_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/ensemble_parity_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/pair_parity_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/step_parity_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/text_encoder_parity_test.cpp
    LINKS ventris_backend ventris_engine)
endif()
