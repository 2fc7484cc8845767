// Package ibsim lets real programs of InfiniBand run on the lab's subnet: it speaks the protocol of the simulator ibsim, to which the library
// libumad2sim connects programs. Answers come from device/infiniband/agent; here are the messages, the clients and the sockets.
package ibsim
