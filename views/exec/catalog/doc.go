// Package catalog combines the families of commands in one table. It also has the tests of commands, with their scripts.
package catalog
