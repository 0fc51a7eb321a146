"""A game in a terminal: the conversation with its player, the board, and how cards look there."""
