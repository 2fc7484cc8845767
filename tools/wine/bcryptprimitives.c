/* Go's runtime asks bcryptprimitives.dll for random numbers, and Wine 8 lacks that library. This one passes the request on. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, (ULONG)length); }
