"""`python -m golf_cli` and the `golf` command."""

from golf_cli.commands import main

if __name__ == "__main__":
    main()
