"""KataGo's JSON analysis protocol: queries, answers, and the server's end of a conversation."""
