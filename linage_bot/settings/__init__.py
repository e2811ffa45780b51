"""Settings from TOML and JSON into frozen classes, with one line for each mistake in them."""
