package ring

// ReturnThreshold returns the number of free received packets on a ring above which the driver gives them back to the
// hardware at once: the setting, or two thirds of the ring, rounded down, when it is 0 (NIC-6; manual: registry key
// ReturnPacketThreshold).
func ReturnThreshold(setting, ringSize int) int {
	if setting == 0 {
		return ringSize * 2 / 3
	}
	return setting
}

// SendBufferBytes returns the memory in bytes of the buffers that the driver keeps for sending: each holds the largest send
// when large send offload is on, and one MTU otherwise (NIC-7; manual: registry key NumTcb).
func SendBufferBytes(buffers int, largeSends bool, largestSend, mtu int) int {
	if largeSends {
		return buffers * largestSend
	}
	return buffers * mtu
}
