"""Positions analysed for other programs by KataGo's JSON protocol: many at once, in any order."""
