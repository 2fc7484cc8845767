// Package powershell has what all cmdlets share: it parses the parameters of a call, binds them to fields, to objects of the
// host and to the objects in a pipe, and prints results as PowerShell does. The cmdlets themselves are in the packages below.
package powershell
