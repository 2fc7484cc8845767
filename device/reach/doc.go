// Package reach has the reasons why traffic finds no receiver, and sets of them. Which flows have which reason, the lab says.
package reach
