if(VENTRIS_LEARNING)
  ventris_test(scripting TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/rnn_script_source_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/script_builder_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/script_model_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/search_script_source_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/transformer_script_source_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/script_caller_test.cpp
    LINKS ventris_backend)
endif()
