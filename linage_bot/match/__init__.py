"""Engine-vs-engine matches over GTP: settings, referee, schedule, store, statistics, reports."""
