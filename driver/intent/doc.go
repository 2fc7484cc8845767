// Package intent holds what hosts must look like for lossless RDMA, as an operator declares it with the field names of
// Microsoft's Validate-DCB, and the checks that compare it with the facts of a host. It knows no host: whoever has one fills in
// the Facts. The configuration files of Validate-DCB are read by dcbconfig.
package intent
