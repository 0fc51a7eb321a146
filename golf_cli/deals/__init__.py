"""How a deal reference becomes cards, and cards become text again."""
