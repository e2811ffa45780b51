"""What pages are told: tables, analyses, puzzles, lessons and pictures as JSON, over a stream."""
