if(VENTRIS_LEARNING)
  ventris_test(training TOGETHER 4 TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/adam_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/agreement_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/ema_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/initial_weights_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/language_marks_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/learner_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/nat_objective_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/prepared_run_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/replicas_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/schedule_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/shared_update_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/task_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/trainer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/translation_objective_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/validation_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/classification_objective_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/bleu_tokenize_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/objective_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/batch_size_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/used_memory_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/balance_loss_test.cpp
    LINKS ventris_training ventris_imports $<TARGET_NAME_IF_EXISTS:ventris_gloo>)
endif()
