package mad

import (
	"fmt"
	"slices"
)

// Attribute is the number of an attribute in a datagram.
type Attribute uint16

// The attributes of subnet management and of performance management.
const (
	NodeDescription Attribute = 0x10
	NodeInfo        Attribute = 0x11
	SwitchInfo      Attribute = 0x12
	GUIDInfo        Attribute = 0x14
	PortInfo        Attribute = 0x15
	PKeyTable       Attribute = 0x16
	SLToVL          Attribute = 0x17
	VLArbitration   Attribute = 0x18
	LinearTable     Attribute = 0x19
	MulticastTable  Attribute = 0x1b
	SMInfo          Attribute = 0x20
	ExtendedInfo    Attribute = 0x33 // PortInfoExtended
	VendorPortInfo  Attribute = 0xff90

	ClassInfo        Attribute = 0x01
	PortCounters     Attribute = 0x12
	ExtendedCounters Attribute = 0x1d
)

// Names of values.
var (
	widthNames    = map[uint64]string{1: "1X", 2: "4X", 4: "8X", 8: "12X", 16: "2X"}
	widthSet      = set("1X", "4X", "8X", "12X", "2X")
	speedSet      = set("2.5 Gbps", "5.0 Gbps", "10.0 Gbps")
	extendedNames = set("14.0625 Gbps", "25.78125 Gbps", "53.125 Gbps")
	kinds         = table("?(%d)?", map[uint64]string{1: "Channel Adapter", 2: "Switch", 3: "Router"})
	physicals     = table("?(%d)", map[uint64]string{0: "NoChange", 1: "Sleep", 2: "Polling", 3: "Disabled", 4: "PortConfigurationTraining", 5: "LinkUp", 6: "LinkErrorRecovery", 7: "PhyTest"})
	states        = table("?(%d)", map[uint64]string{0: "NoChange", 1: "Down", 2: "Initialize", 3: "Armed", 4: "Active"})
	downStates    = table("?(%d)", map[uint64]string{0: "NoChange", 1: "Sleep", 2: "Polling"})
	mtus          = table("?(%d)", map[uint64]string{1: "256", 2: "512", 3: "1024", 4: "2048", 5: "4096"})
	lanes         = map[uint64]string{1: "VL0", 2: "VL0-1", 3: "VL0-3", 4: "VL0-7", 5: "VL0-14"}
	usedLanes     = map[uint64]string{0: "No change", 1: "VL0", 2: "VL0-1", 3: "VL0-3", 4: "VL0-7", 5: "VL0-14"}
)

// supportedWidths are the sets that the architecture names; the programs mark others.
var supportedWidths = []uint64{1, 3, 7, 11, 15, 17, 19, 23, 27, 31}

func widthsSupported(f Field, value uint64) string {
	text := widthSet(f, value)
	if !slices.Contains(supportedWidths, value) && value>>5 == 0 {
		text += " (IBA extension)"
	}
	return text
}

// speeds writes a set of speeds. A set without SDR is no set of the architecture, and the programs mark it.
func speeds(f Field, value uint64) string {
	text := speedSet(f, value)
	if value&1 == 0 && value>>3 == 0 {
		text += " (IBA extension)"
	}
	return text
}

func extendedSpeeds(f Field, value uint64) string {
	if value == 0 {
		return "0"
	}
	return extendedNames(f, value)
}

func enabledExtendedSpeeds(f Field, value uint64) string {
	if value == 30 {
		return "Extended link speeds disabled"
	}
	return extendedSpeeds(f, value)
}

// The fields of PortInfo that agents write and programs read.
var (
	MKey              = Field{0, 64, "Mkey", hex}
	Prefix            = Field{64, 64, "GidPrefix", hex}
	LID               = Field{128, 16, "Lid", nil}
	SMLID             = Field{144, 16, "SMLid", nil}
	CapMask           = Field{160, 32, "CapMask", capabilities(portCapabilities)}
	LeasePeriod       = Field{208, 16, "MkeyLeasePeriod", nil}
	LocalPort         = Field{224, 8, "LocalPort", nil}
	WidthEnabled      = Field{232, 8, "LinkWidthEnabled", func(f Field, v uint64) string { return widthSet(f, v) }}
	WidthSupported    = Field{240, 8, "LinkWidthSupported", widthsSupported}
	WidthActive       = Field{248, 8, "LinkWidthActive", table("undefined (%d)", widthNames)}
	SpeedSupported    = Field{256, 4, "LinkSpeedSupported", speeds}
	State             = Field{260, 4, "LinkState", states}
	Physical          = Field{264, 4, "PhysLinkState", physicals}
	DownState         = Field{268, 4, "LinkDownDefState", downStates}
	Protect           = Field{272, 2, "ProtectBits", nil}
	LMC               = Field{277, 3, "LMC", nil}
	SpeedActive       = Field{280, 4, "LinkSpeedActive", table("undefined (%d)", map[uint64]string{0: "Extended speed", 1: "2.5 Gbps", 2: "5.0 Gbps", 4: "10.0 Gbps"})}
	SpeedEnabled      = Field{284, 4, "LinkSpeedEnabled", speeds}
	MTU               = Field{288, 4, "NeighborMTU", mtus}
	VLCap             = Field{296, 4, "VLCap", table("?(%d)", lanes)}
	VLHighLimit       = Field{304, 8, "VLHighLimit", nil}
	VLHighCap         = Field{312, 8, "VLArbHighCap", nil}
	VLLowCap          = Field{320, 8, "VLArbLowCap", nil}
	MTUCap            = Field{332, 4, "MtuCap", mtus}
	VLStall           = Field{336, 3, "VLStallCount", nil}
	HeadOfQueue       = Field{339, 5, "HoqLife", nil}
	VLs               = Field{344, 4, "OperVLs", table("?(%d)", usedLanes)}
	GUIDCap           = Field{400, 8, "GuidCap", nil}
	SubnetTimeout     = Field{411, 5, "SubnetTimeout", nil}
	CapMask2          = Field{480, 16, "CapabilityMask2", capabilities(portCapabilities2)}
	ExtendedActive    = Field{496, 4, "LinkSpeedExtActive", table("undefined (%d)", map[uint64]string{0: "No Extended Speed", 1: "14.0625 Gbps", 2: "25.78125 Gbps", 4: "53.125 Gbps"})}
	ExtendedSupported = Field{500, 4, "LinkSpeedExtSupported", extendedSpeeds}
	ExtendedEnabled   = Field{507, 5, "LinkSpeedExtEnabled", enabledExtendedSpeeds}
)

// PortFields are the fields of PortInfo after the management key, in the order of the programs.
var PortFields = []Field{
	Prefix, LID, SMLID, CapMask, {192, 16, "DiagCode", hex}, LeasePeriod, LocalPort, WidthEnabled, WidthSupported, WidthActive,
	SpeedSupported, State, Physical, DownState, Protect, LMC, SpeedActive, SpeedEnabled, MTU, {292, 4, "SMSL", nil}, VLCap,
	{300, 4, "InitType", hex}, VLHighLimit, VLHighCap, VLLowCap, {328, 4, "InitReply", hex}, MTUCap, VLStall, HeadOfQueue,
	VLs, {348, 1, "PartEnforceInb", nil}, {349, 1, "PartEnforceOutb", nil}, {350, 1, "FilterRawInb", nil}, {351, 1, "FilterRawOutb", nil},
	{352, 16, "MkeyViolations", nil}, {368, 16, "PkeyViolations", nil}, {384, 16, "QkeyViolations", nil}, GUIDCap,
	{408, 1, "ClientReregister", nil}, {409, 2, "McastPkeyTrapSuppressionEnabled", nil}, SubnetTimeout, {419, 5, "RespTimeVal", nil},
	{424, 4, "LocalPhysErr", nil}, {428, 4, "OverrunErr", nil}, {432, 16, "MaxCreditHint", nil}, {456, 24, "RoundTrip", nil}, CapMask2,
	ExtendedActive, ExtendedSupported, ExtendedEnabled,
}

// Bits of the capability mask of a port.
const (
	IsSM              = 1 << 1
	HasExtendedSpeeds = 1 << 14
	HasCapMask2       = 1 << 15
)

var portCapabilities = map[int]string{
	1: "IsSM", 2: "IsNoticeSupported", 3: "IsTrapSupported", 4: "IsOptionalIPDSupported", 5: "IsAutomaticMigrationSupported",
	6: "IsSLMappingSupported", 7: "IsMKeyNVRAM", 8: "IsPKeyNVRAM", 9: "IsLedInfoSupported", 10: "IsSMdisabled",
	11: "IsSystemImageGUIDsupported", 12: "IsPkeySwitchExternalPortTrapSupported", 14: "IsExtendedSpeedsSupported",
	15: "IsCapabilityMask2Supported", 16: "IsCommunicatonManagementSupported", 17: "IsSNMPTunnelingSupported", 18: "IsReinitSupported",
	19: "IsDeviceManagementSupported", 20: "IsVendorClassSupported", 21: "IsDRNoticeSupported", 22: "IsCapabilityMaskNoticeSupported",
	23: "IsBootManagementSupported", 24: "IsLinkRoundTripLatencySupported", 25: "IsClientRegistrationSupported",
	26: "IsOtherLocalChangesNoticeSupported", 27: "IsLinkSpeedWidthPairsTableSupported", 28: "IsVendorSpecificMadsTableSupported",
	29: "IsMcastPkeyTrapSuppressionSupported", 30: "IsMulticastFDBTopSupported", 31: "IsHierarchyInfoSupported",
}

var portCapabilities2 = map[int]string{
	0: "IsSetNodeDescriptionSupported", 1: "IsPortInfoExtendedSupported", 2: "IsVirtualizationSupported",
	3: "IsSwitchPortStateTableSupported", 4: "IsLinkWidth2xSupported", 5: "IsLinkSpeedHDRSupported",
}

// The fields of NodeInfo.
var (
	NodeType     = Field{16, 8, "NodeType", kinds}
	NumPorts     = Field{24, 8, "NumPorts", nil}
	SystemGUID   = Field{32, 64, "SystemGuid", hex}
	NodeGUID     = Field{96, 64, "Guid", hex}
	PortGUID     = Field{160, 64, "PortGuid", hex}
	PartitionCap = Field{224, 16, "PartCap", nil}
	DeviceID     = Field{240, 16, "DevId", hex}
	Revision     = Field{256, 32, "Revision", hex}
	ArrivalPort  = Field{288, 8, "LocalPort", nil}
	VendorID     = Field{296, 24, "VendorId", hex}
)

// NodeFields are the fields of NodeInfo in their order.
var NodeFields = []Field{
	{0, 8, "BaseVers", nil}, {8, 8, "ClassVers", nil}, NodeType, NumPorts, SystemGUID, NodeGUID, PortGUID, PartitionCap, DeviceID, Revision,
	ArrivalPort, VendorID,
}

// The fields of SwitchInfo.
var (
	LinearCap     = Field{0, 16, "LinearFdbCap", nil}
	MulticastCap  = Field{32, 16, "McastFdbCap", nil}
	LinearTop     = Field{48, 16, "LinearFdbTop", nil}
	LifeTime      = Field{88, 5, "LifeTime", nil}
	EnforceCap    = Field{112, 16, "PartEnforceCap", nil}
	EnhancedPort0 = Field{132, 1, "EnhancedPort0", nil}
	MulticastTop  = Field{144, 16, "MulticastFDBTop", hex}
)

// SwitchFields are the fields of SwitchInfo in their order.
var SwitchFields = []Field{
	LinearCap, {16, 16, "RandomFdbCap", nil}, MulticastCap, LinearTop, {64, 8, "DefPort", nil}, {72, 8, "DefMcastPrimPort", nil},
	{80, 8, "DefMcastNotPrimPort", nil}, LifeTime, {93, 1, "StateChange", nil}, {94, 2, "OptSLtoVLMapping", nil}, {96, 16, "LidsPerPort", nil},
	EnforceCap, {128, 1, "InboundPartEnf", nil}, {129, 1, "OutboundPartEnf", nil}, {130, 1, "FilterRawInbound", nil},
	{131, 1, "FilterRawOutbound", nil}, EnhancedPort0, MulticastTop,
}

// The fields of the vendor's PortInfo, which holds FDR10.
var (
	FDR10Supported = Field{56, 8, "LinkSpeedSupported", hex}
	FDR10Enabled   = Field{88, 8, "LinkSpeedEnabled", hex}
	FDR10Active    = Field{120, 8, "LinkSpeedActive", hex}
)

// VendorPortFields are the fields of the vendor's PortInfo in their order.
var VendorPortFields = []Field{{24, 8, "StateChangeEnable", hex}, FDR10Supported, FDR10Enabled, FDR10Active}

// ExtendedInfoFields are the fields of PortInfoExtended.
var ExtendedInfoFields = []Field{
	{0, 32, "CapMask", hex}, {32, 16, "FECModeActive", nil}, {48, 16, "FDRFECModeSupported", hex}, {64, 16, "FDRFECModeEnabled", hex},
	{80, 16, "EDRFECModeSupported", hex}, {96, 16, "EDRFECModeEnabled", hex}, {112, 16, "HDRFECModeSupported", hex}, {128, 16, "HDRFECModeEnabled", hex},
}

// The fields of SMInfo.
var (
	SMGUID     = Field{0, 64, "SmInfoGuid", hex}
	SMKey      = Field{64, 64, "SmInfoKey", hex}
	SMActivity = Field{128, 32, "SmActivity", nil}
	SMPriority = Field{160, 4, "SmPriority", nil}
	SMState    = Field{164, 4, "SmState", nil}
)

// SpeedName returns the speed of a link as the programs write it, from its PortInfo.
func SpeedName(port []byte) string {
	if extended := ExtendedActive.Get(port); extended != 0 {
		return ExtendedActive.Format(extended)
	}
	return SpeedActive.Text(port)
}

// Hex writes bytes in rows of eight words, as smpdump does.
func Hex(data []byte) string {
	text := ""
	for i := 0; i+1 < len(data); i += 2 {
		text += fmt.Sprintf("%02x%02x", data[i], data[i+1])
		if i%16 == 14 {
			text += "\n"
		} else {
			text += " "
		}
	}
	return text
}
