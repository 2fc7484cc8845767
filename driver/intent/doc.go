// Package intent holds what hosts must look like for lossless RDMA, as an operator declares it with the field names of
// Microsoft's Validate-DCB, and the checks that compare it with the facts of a host. The caller fills in the Facts, so that the
// package does not depend on a host. Package dcbconfig reads the configuration files of Validate-DCB.
package intent
