"""What conversations of all protocols share: questions and answers in order, lines, errors."""
