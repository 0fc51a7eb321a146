"""`golf completion`."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes golf's commands in a shell.

    Bash: eval "$(golf completion bash)" in ~/.bashrc. Zsh: the same in ~/.zshrc. Fish: golf completion fish | source.
    """
    complete = get_completion_class(shell)
    assert complete is not None  # click has these three
    click.echo(complete(ctx.find_root().command, {}, "golf", "_GOLF_COMPLETE").source())
