# Writes what "cxdeck twin make" reads into the current folder. It only reads the host; nothing is installed, changed or sent.
# Run it as administrator in an empty folder:  powershell -ExecutionPolicy Bypass -File collect.ps1
# A line whose program, cmdlet or key the host lacks fails without harm: the twin then assumes what it would have said.

# The registry: class keys of network adapters and bus devices, settings of the drivers, PCI devices, names of connections.
reg export "HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}" class.reg /y
reg export "HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e97d-e325-11ce-bfc1-08002be10318}" bus.reg /y
reg export "HKLM\SYSTEM\CurrentControlSet\Services\mlx4_bus" mlx4_bus.reg /y
reg export "HKLM\SYSTEM\CurrentControlSet\Services\mlx5" mlx5.reg /y
reg export "HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters" tcpip.reg /y
reg export "HKLM\SYSTEM\CurrentControlSet\Enum\PCI" pci.reg /y
reg export "HKLM\SYSTEM\CurrentControlSet\Control\Network\{4d36e972-e325-11ce-bfc1-08002be10318}" connections.reg /y

# The host and its adapters.
Get-CimInstance Win32_OperatingSystem | Select-Object CSName, Caption | ConvertTo-Json | Out-File system.json -Encoding utf8
Get-CimInstance Win32_ComputerSystem | Select-Object Name, NumberOfLogicalProcessors | ConvertTo-Json | Out-File computer.json -Encoding utf8
Get-NetAdapter | Select-Object * | ConvertTo-Json -Depth 3 | Out-File adapters.json -Encoding utf8
Get-NetAdapterHardwareInfo | Select-Object * | ConvertTo-Json -Depth 3 | Out-File hardware.json -Encoding utf8
Get-NetIPAddress | Select-Object * | ConvertTo-Json -Depth 3 | Out-File addresses.json -Encoding utf8

# Teams, quality of service, virtual switches and machines.
Get-NetLbfoTeam | Select-Object * | ConvertTo-Json -Depth 3 | Out-File teams.json -Encoding utf8
Get-NetLbfoTeamMember | Select-Object * | ConvertTo-Json -Depth 3 | Out-File members.json -Encoding utf8
Get-NetLbfoTeamNic | Select-Object * | ConvertTo-Json -Depth 3 | Out-File teamnics.json -Encoding utf8
Get-NetQosPolicy | Select-Object * | ConvertTo-Json -Depth 3 | Out-File policies.json -Encoding utf8
Get-NetQosTrafficClass | Select-Object * | ConvertTo-Json -Depth 3 | Out-File classes.json -Encoding utf8
Get-NetQosFlowControl | Select-Object * | ConvertTo-Json -Depth 3 | Out-File flowcontrol.json -Encoding utf8
Get-NetQosDcbxSetting | Select-Object * | ConvertTo-Json -Depth 3 | Out-File dcbx.json -Encoding utf8
Get-VMSwitch | Select-Object * | ConvertTo-Json -Depth 3 | Out-File switches.json -Encoding utf8
Get-VM | Select-Object * | ConvertTo-Json -Depth 2 | Out-File machines.json -Encoding utf8
Get-VMNetworkAdapter -VMName * | Select-Object * | ConvertTo-Json -Depth 3 | Out-File machineadapters.json -Encoding utf8

# Firmware: settings, versions, identities.
Get-MlnxPCIDeviceSriovSetting | Select-Object * | ConvertTo-Json -Depth 3 | Out-File sriov.json -Encoding utf8
mlxconfig q | Out-File mlxconfig.txt -Encoding utf8
vstat | Out-File vstat.txt -Encoding utf8
mlx5cmd -stat | Out-File mlx5cmd.txt -Encoding utf8

# Two minutes of counters. The system snapshot (MLNX_System_Snapshot, saved as text) can be added to the folder by hand.
typeperf "\Network Interface(*)\*" "\Mellanox Adapter Traffic Counters(*)\*" "\Mellanox WinOF-2 Port Traffic(*)\*" "\RDMA Activity(*)\*" -si 1 -sc 120 -f CSV -o perf.csv -y
