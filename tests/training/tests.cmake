if(VENTRIS_LEARNING)
  ventris_test(training TORCH
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/adam_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/checkpoint_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/config_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/data_config_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/ema_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/finetuning_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/kept_models_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/model_keeper_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/observer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/period_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/replicas_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/resumable_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/run_setup_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/saver_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/schedule_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/trainer_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/training_data_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/validation_test.cpp
    LINKS ventris_training)
endif()
