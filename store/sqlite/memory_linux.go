package sqlite

/*
#include <malloc.h>

// The C library gives each thread its own heap, and enlarges it a few pages at a time. SQLite's connections move between threads:
// one heap for all of them saves memory, and system calls at the start of the console.
static void shareHeap(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 1);
#endif
}
*/
import "C"

func init() { C.shareHeap() }
