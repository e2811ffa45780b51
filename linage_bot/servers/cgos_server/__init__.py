"""A rating server for engines, compatible with CGOS, for any one of the games."""
