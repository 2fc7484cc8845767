// Package netadapter has the cmdlets for network adapters: lists, settings, advanced properties, bindings, and features such as
// SR-IOV, RDMA and VMQ.
package netadapter
