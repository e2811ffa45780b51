"""Messages to pages: tables, analyses, puzzles, lessons and pictures as JSON, over a stream."""
