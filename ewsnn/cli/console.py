"""What the commands share: the device, where text goes, and progress."""

import contextlib
from collections.abc import Callable, Iterator

import click
import jax
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ewsnn.train.fit import Epoch
from ewsnn.train.run import device

__all__ = ["console", "device_option", "progress", "use_device"]

# Of a terminal the real width; elsewhere (a file, a pipe) one that the tables fit into.
console = Console(highlight=False, soft_wrap=True)

device_option = click.option(
    "--device",
    "wanted",
    type=click.Choice(["auto", "cpu", "gpu"]),
    default="auto",
    show_default=True,
    help="Where to compute. auto takes a GPU if JAX finds one, and says what it took.",
)


def use_device(wanted: str, x64: bool) -> str:
    """Sets JAX up for this process, before its first computation.

    Args:
        wanted: "auto", "cpu" or "gpu".
        x64: Whether to compute in float64.

    Returns:
        The device and the precision, in words.

    Raises:
        ValueError: If a GPU is wanted and there is none.
    """
    jax.config.update("jax_enable_x64", x64)
    if wanted != "auto":
        try:
            jax.config.update("jax_default_device", jax.devices(wanted)[0])
        except RuntimeError as error:
            raise ValueError(
                f"--device {wanted}: JAX finds none ({error}). Install JAX for this device, or use --device auto."
            ) from error
    return f"{device()}, {'float64' if x64 else 'float32'}"


@contextlib.contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[Epoch], None]]:
    """Shows the epochs as they pass: a live bar on a terminal, ten lines elsewhere.

    Args:
        title: What is trained.
        total: The number of epochs.

    Yields:
        What to call after each epoch.
    """

    def words(epoch: Epoch) -> str:
        scores = epoch.scores
        text = f"loss {scores['train_loss']:.4f}, accuracy {scores['train_accuracy']:.3f}"
        return text + (f", held out {scores['holdout_accuracy']:.3f}" if "holdout_accuracy" in scores else "")

    if not console.is_terminal:
        console.print(f"{title}: {total} epochs (the first compiles)")

        def line(epoch: Epoch) -> None:
            if epoch.number % max(1, total // 10) == 0 or epoch.number == total:
                console.print(f"  epoch {epoch.number}/{total}: {words(epoch)}")

        yield line
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[scores]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(title, total=total, scores="compiling …")

        def advance(epoch: Epoch) -> None:
            bar.update(task, completed=epoch.number, scores=words(epoch))

        yield advance
