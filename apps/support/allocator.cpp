/// Settings of jemalloc, which reads this variable when the process starts. A training step allocates and frees
/// hundreds of large blocks. If freed memory went back to the system, page faults would take up to 29 % of the time.
/// Therefore freed memory is kept. This does not raise the peak, because every step needs the same memory again.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "dirty_decay_ms:-1,muzzy_decay_ms:-1";
}
