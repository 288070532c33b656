/// To be preloaded (LD_PRELOAD) into a program: the system refuses every thread, as beyond `ulimit -u`.
#include <pthread.h>

#include <cerrno>

extern "C" int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) { return EAGAIN; }
