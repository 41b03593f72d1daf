"""Errors of diffprivlib's private models: asked by whitened-errors.mjs, which says what is in the files.

Reads lines of JSON: the folder of train.bin and test.bin (rows of doubles, the label last), what is predicted, the lower
bounds of the features (all upper ones are 1), the label's range, the largest norm of a row, epsilon and a seed. Answers a
line with a list of test errors, one for each spelling of the bounds: the share of wrong classes, or the mean squared error
clamped to the range.
"""
import json
import sys
import warnings

try:
    import diffprivlib
    import numpy
    import sklearn
    from diffprivlib.models import LinearRegression, LogisticRegression
except ImportError as missing:
    sys.exit(f"Without a peer: {missing}")

warnings.filterwarnings("ignore")

# scikit-learn divides the logistic loss by the number of rows from 1.4 on. Other versions of diffprivlib than these add noise
# for the other loss: too little by that factor, which protects nobody, or too much.
version = [tuple(map(int, of.__version__.split(".")[:3])) for of in (diffprivlib, sklearn)]
if not (version[0] >= (0, 6, 6) if version[1] >= (1, 4) else version[0] <= (0, 6, 3)):
    sys.exit("diffprivlib 0.6.6 or later is for scikit-learn 1.4 or later, 0.6.3 or earlier for those before")


def classes(features, labels, asked):
    """Two spellings of the same bound: rows as they are, and rows scaled to norm 1 at most."""
    for scale in (1, 1 / asked["norm"]):
        model = LogisticRegression(
            epsilon=asked["epsilon"], data_norm=asked["norm"] * scale, max_iter=1000, random_state=asked["seed"]
        )
        # Rounding may make a row longer than its bound by an ulp, and would have it warn.
        model.fit(features * scale * (1 - 1e-12), labels)
        yield lambda rows, model=model, scale=scale: model.predict(rows * scale)


def numbers(features, labels, asked):
    lower = numpy.array(asked["lower"])
    model = LinearRegression(
        epsilon=asked["epsilon"],
        bounds_X=(lower, numpy.ones_like(lower)),
        bounds_y=tuple(asked["range"]),
        random_state=asked["seed"],
    )
    model.fit(features, labels)
    yield lambda rows: numpy.clip(model.predict(rows), *asked["range"])


for line in sys.stdin:
    asked = json.loads(line)
    train, test = (
        numpy.fromfile(f"{asked['folder']}/{name}.bin").reshape(-1, len(asked["lower"]) + 1)
        for name in ("train", "test")
    )
    made = (classes if asked["of"] == "classes" else numbers)(train[:, :-1], train[:, -1], asked)
    print([float(numpy.mean((predict(test[:, :-1]) - test[:, -1]) ** 2)) for predict in made], flush=True)
