if(VENTRIS_LEARNING)
  ventris_test(families TOGETHER 4 TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/rnn_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/rnn_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/ssru_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/transformer_layers_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/transformer_nat_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/transformer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/transformer_step_model_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/mixture_of_experts_test.cpp
    LINKS ventris_families)
endif()
