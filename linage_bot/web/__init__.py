"""The board in a browser: games at the server's tables, shown by a page of plain JavaScript."""
