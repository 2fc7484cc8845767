# Two adapters with RoCE in an embedded team, as the second published example of Validate-DCB has them.
$AllNodes = @()
$Hosts = 'TK5-3WP07R0511', 'TK5-3WP07R0512'

$Hosts | ForEach-Object {
    $AllNodes += @{
        NodeName = $_
        VMSwitch = @(
            @{
                Name                   = 'VMSTest'
                EmbeddedTeamingEnabled = $true
                RDMAEnabledAdapters    = @(
                    @{ Name = 'RoCE-01'; VMNetworkAdapter = 'SMB01'; VLANID = '101'; JumboPacket = 9014 }
                    @{ Name = 'RoCE-02'; VMNetworkAdapter = 'SMB02'; VLANID = '101'; JumboPacket = 9014 }
                )
                RDMADisabledAdapters   = @(
                    @{ VMNetworkAdapter = 'Mgmt' }
                )
            }
        )
    }
}

$Global:configData = @{
    AllNodes    = $AllNodes
    NonNodeData = @{
        NetQoS = @(
            @{ Name = 'Cluster'; Template = 'Cluster'; PriorityValue8021Action = 7; BandwidthPercentage = 1; Algorithm = 'ETS' }
            @{ Name = 'SMB'; NetDirectPortMatchCondition = 445; PriorityValue8021Action = 3; BandwidthPercentage = 60; Algorithm = 'ETS' }
            @{ Name = 'DEFAULT'; Template = 'Default'; PriorityValue8021Action = 0; BandwidthPercentage = 39; Algorithm = 'ETS' }
        )
    }
}
