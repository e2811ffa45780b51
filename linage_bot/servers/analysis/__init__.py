"""A server that analyses positions by KataGo's JSON protocol: many at once, in any order."""
