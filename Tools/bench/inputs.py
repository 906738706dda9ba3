"""The inputs of the bench: made once, kept in a folder, made anew when the script that makes them changes."""
import gzip
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

MAKERS = Path(__file__).resolve().parent / "makers"


class Inputs:
    """Files of the bench in `folder`; making them needs h5py, numpy and, for graphs, onnx."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def checkpoint(self, network: str, units: int | None = None) -> Path:
        """A Keras checkpoint; hidden `units` of VGG16 choose another size."""
        name = f"{network}-{units}" if units else network
        options = ["--units", str(units)] if units else []
        return self.made(f"{name}.h5", ("make_checkpoint.py", "networks.py"), network, "OUT", *options)

    def graph(self, checkpoint: Path) -> Path:
        """The same network for onnxruntime."""
        return self.made(f"{checkpoint.stem}.onnx", ("onnx_from_keras.py",), str(checkpoint), "OUT",
                         after=checkpoint)

    def images(self, count: int) -> Path:
        """Random images of 224 x 224, channels last."""
        return self.made(f"images-{count}.npy", ("make_images.py",), "OUT", str(count))

    def sequences(self, network: str, length: int | None = None) -> Path:
        """The folder of a network over sequences, as raw values and as ONNX, with a sequence."""
        name = f"{network}-{length}" if length else network
        options = ["--length", str(length)] if length else []
        return self.made(name, ("make_sequences.py",), network, "OUT", *options)

    def variables(self, count: int, megabytes: int | None = None) -> Path:
        """The folder of a checkpoint of TensorFlow with `count` variables: of a kilobyte each, or this size in all."""
        name, options = f"tensorflow-{count}", []
        if megabytes:
            name, options = f"{name}-{megabytes}", ["--megabytes", str(megabytes)]
        return self.made(name, ("make_tensorflow.py",), "OUT", "--variables", str(count), *options)

    def weights(self, count: int, megabytes: int, torch: bool = False) -> Path:
        """The folder of weights with `count` tensors of this size in all, and the same for another framework."""
        name, options = f"weights-{count}-{megabytes}", []
        if torch:
            name, options = f"{name}-torch", ["--torch"]
        return self.made(name, ("make_weights.py",), "OUT", "--tensors", str(count),
                         "--megabytes", str(megabytes), *options)

    def mnist(self, packed: Path) -> Path:
        """The folder of the MNIST test set, unpacked from `packed`."""
        folder = self.folder / "mnist"
        folder.mkdir(exist_ok=True)
        for source in packed.glob("*.gz"):
            self._once(folder / source.stem, [source],
                       lambda out: out.write_bytes(gzip.decompress(source.read_bytes())))
        return folder

    def made(self, name: str, scripts: tuple[str, ...], *arguments: str,
             after: Path | None = None) -> Path:
        """The file that a script writes to the argument OUT."""
        depends = [MAKERS / script for script in scripts] + ([after] if after else [])

        def make(out: Path) -> None:
            print(f"making {name}", file=sys.stderr, flush=True)
            words = [str(out) if word == "OUT" else word for word in arguments]
            subprocess.run([sys.executable, MAKERS / scripts[0], *words], check=True)

        return self._once(self.folder / name, depends, make)

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.folder).free

    @staticmethod
    def _once(path: Path, depends: list[Path], make: Callable[[Path], object]) -> Path:
        """Makes a file unless it is there and newer than what it is made from."""
        newest = max(source.stat().st_mtime for source in depends)
        if not path.exists() or path.stat().st_mtime < newest:
            unfinished = path.with_name(f"unfinished-{path.name}")
            for old in (path, unfinished):
                if old.is_dir():
                    shutil.rmtree(old)
            make(unfinished)
            unfinished.replace(path)
        return path
