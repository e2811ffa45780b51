"""Engine-vs-engine matches over GTP: settings, referee, schedule, store, statistics, reports."""

from linage_bot.settings.match import MatchSettings, SettingFault

__all__ = ["MatchSettings", "SettingFault"]
