if(VENTRIS_LEARNING)
  ventris_test(attention TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/visible_positions_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/additive_score_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/fused_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/kernel_regression_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/linear_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/low_rank_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/multi_head_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/relative_bias_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/rotation_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/score_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/segment_attention_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/windowed_attention_test.cpp
    LINKS ventris_attention)
endif()
