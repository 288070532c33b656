if(VENTRIS_LEARNING)
  ventris_test(nn TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/attention_watch_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/ctc_loss_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/dropout_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/embeddings_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/linear_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/loss_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/masks_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/module_parameters_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/norm_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/random_scope_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/recurrent_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/step_rows_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/model_test.cpp
    LINKS ventris_attention)
  # In a process of its own: what it tests happens once per process.
  ventris_test(nn_threads TORCH SOURCES ${CMAKE_CURRENT_LIST_DIR}/threads_test.cpp LINKS ventris_nn)
endif()
