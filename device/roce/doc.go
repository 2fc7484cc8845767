// Package roce computes the addresses of RDMA on Ethernet: the UDP ports of RoCE v2 and the GIDs (model rules ROCE-7 to ROCE-9;
// WinOF manual, "RDMA over Converged Ethernet"). Connections and their rates belong to the lab.
package roce
