#!/usr/bin/env python3
"""Writes the least squares problems of ../tests/problems with their solutions.

    python3 -m venv venv && venv/bin/pip install numpy scipy mpmath
    venv/bin/python make_references.py

The solutions are computed in 50-digit arithmetic from the doubles that the files hold, so they do not depend on
floating point: eigenvalues of the column-scaled Gram matrix, which at 50 digits may be squared without harm. The
well-conditioned ones are compared with scipy's least squares, and the NIST sets with their certified values, before
anything is written. Random numbers have fixed seeds; running the script again gives the same files.
"""

import math
import pathlib

import mpmath as mp
import numpy as np
import scipy.linalg

mp.mp.dps = 50
# Certified values have 15 digits and belong to decimal data, which doubles hold rounded.
CERTIFIED = mp.mpf("1e-12")
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "problems"


def solve(basis, observed, weights):
    """Shortest weighted least squares solution in coordinates with columns of norm 1."""
    rows, terms = len(observed), len(basis)
    roots = [mp.sqrt(mp.mpf(float(w))) for w in weights]
    columns = [[root * mp.mpf(float(v)) for root, v in zip(roots, column)] for column in basis]
    image = [root * mp.mpf(float(v)) for root, v in zip(roots, observed)]
    norms = [mp.sqrt(mp.fdot(c, c)) for c in columns]
    norms = [norm if norm > 0 else mp.mpf(1) for norm in norms]
    columns = [[v / norm for v in c] for c, norm in zip(columns, norms)]
    gram = mp.matrix(terms, terms)
    for i in range(terms):
        for j in range(terms):
            gram[i, j] = mp.fdot(columns[i], columns[j])
    values, vectors = mp.eigsy(gram)
    kept = [r for r in range(terms) if values[r] > mp.mpf(10) ** -40 * max(values)]
    right = [mp.fdot(column, image) for column in columns]
    scaled = [
        mp.fsum(
            vectors[j, r] / values[r] * mp.fsum(vectors[i, r] * right[i] for i in range(terms)) for r in kept
        )
        for j in range(terms)
    ]
    residuals = [
        y - mp.fsum(column[i] * b for column, b in zip(columns, scaled)) for i, y in enumerate(image)
    ]
    for column in columns:  # orthogonality is the definition of the solution
        assert abs(mp.fdot(column, residuals)) < mp.mpf(10) ** -25 * max(map(abs, image))
    squares = mp.fdot(residuals, residuals)
    if squares < mp.mpf(10) ** -40 * mp.fdot(image, image):
        squares = mp.mpf(0)
    undetermined = [
        j
        for j in range(terms)
        if any(abs(vectors[j, r]) > mp.mpf(10) ** -15 for r in range(terms) if r not in kept)
    ]
    freedom = rows - len(kept)
    errors = []
    for j in range(terms):
        variance = mp.fsum(vectors[j, r] ** 2 / values[r] for r in kept)
        if j in undetermined:
            errors.append(mp.inf)
        elif freedom == 0:
            errors.append(mp.nan)
        else:
            errors.append(mp.sqrt(squares / freedom * variance) / norms[j])
    used = [values[r] for r in kept]
    return {
        "rank": len(kept),
        "condition": mp.sqrt(max(used) / min(used)),
        "undetermined": undetermined,
        "squares": squares,
        "coefficients": [b / norm for b, norm in zip(scaled, norms)],
        "errors": errors,
    }


def text(number):
    return mp.nstr(number, 25) if mp.isfinite(number) else ("inf" if number == mp.inf else "nan")


def write(name, title, basis, observed, weights=None, certified=None, tolerance=CERTIFIED, against_scipy=False):
    basis = [np.asarray(column, dtype=float) for column in basis]
    observed = np.asarray(observed, dtype=float)
    weights = np.ones(len(observed)) if weights is None else np.asarray(weights, dtype=float)
    answer = solve(basis, observed, weights)
    if certified is not None:
        for found, (value, error) in zip(zip(answer["coefficients"], answer["errors"]), certified):
            assert abs(found[0] - mp.mpf(value)) <= tolerance * abs(mp.mpf(value)), (name, found[0], value)
            if error is not None:
                assert abs(found[1] - mp.mpf(error)) <= tolerance * abs(mp.mpf(error)), (name, found[1], error)
    if against_scipy:
        roots = np.sqrt(weights)
        design = np.column_stack(basis) * roots[:, None]
        norms = np.linalg.norm(design, axis=0)
        found = scipy.linalg.lstsq(design / norms, observed * roots)[0] / norms
        wanted = np.array([float(b) for b in answer["coefficients"]])
        assert np.max(np.abs(found - wanted) * norms) < 1e-9 * np.max(np.abs(wanted) * norms), (name, found, wanted)
    lines = [f"# {line}" for line in title.split("\n")]
    lines += [
        f"terms {len(basis)}",
        f"rank {answer['rank']}",
        f"condition {mp.nstr(answer['condition'], 17)}",
        " ".join(["undetermined", *map(str, answer["undetermined"])]),
        f"residual_sum_of_squares {text(answer['squares'])}",
        " ".join(["coefficients", *map(text, answer["coefficients"])]),
        " ".join(["standard_errors", *map(text, answer["errors"])]),
        "# basis..., observed, weight",
    ]
    for row in zip(*basis, observed, weights):
        lines.append("row " + " ".join(repr(float(value)) for value in row))
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print(f"{name:24} n {len(observed):4} rank {answer['rank']} condition {float(answer['condition']):.3g}")


def timings(n, rng, noise):
    """Seconds of a program with the formula f[0] + f[1] N + f[2] N log N + f[3] N^2."""
    seconds = 2e-4 + 3e-9 * n + 1e-10 * n * np.log(n) + 2e-12 * n * n
    return seconds * (1 + noise * rng.standard_normal(len(n)))


def formula(n):
    return [np.ones(len(n)), n, n * np.log(n), n * n]


def synthetic():
    rng = np.random.default_rng(1)
    basis = [np.ones(500), *rng.standard_normal((3, 500))]
    observed = 1 + basis[1] - 2 * basis[2] + 0.5 * basis[3] + 0.1 * rng.standard_normal(500)
    write("well-conditioned", "Independent random columns, three blocks of rows.", basis, observed, against_scipy=True)

    rng = np.random.default_rng(2)
    n = np.unique(np.round(np.geomspace(16, 1e6, 120)))
    y = timings(n, rng, 0.03)
    write("scales", "1, N, N log N, N^2 with N to 10^6, plain weights.", formula(n), y, against_scipy=True)
    write(
        "scales-relative",
        "1, N, N log N, N^2 with N to 10^6, weights 1 / y^2.",
        formula(n),
        y,
        1 / (y * y),
        against_scipy=True,
    )

    rng = np.random.default_rng(3)
    n = np.round(np.linspace(2.0e5, 2.1e5, 200))
    write("narrow", "1, N, N log N, N^2 on the narrow interval 2.0e5 .. 2.1e5.", formula(n), timings(n, rng, 0.01))
    write("narrow-exact", "The same without noise but the rounding of y.", formula(n), timings(n, rng, 0))

    rng = np.random.default_rng(4)
    x = rng.uniform(1, 10, 80)
    weights = 10 ** rng.uniform(-6, 6, 80)
    y = 3 + 2 * x + rng.standard_normal(80) / np.sqrt(weights)
    write("weighted", "Weights over twelve decades.", [np.ones(80), x], y, weights, against_scipy=True)

    rng = np.random.default_rng(5)
    p = np.repeat([1.0, 2.0, 4.0, 8.0, 16.0, 32.0], 8)
    n = np.tile(2.0 ** np.arange(10, 18), 6)
    basis = [np.ones(48), np.log(p), n / p * np.log(n / p), n * (p - 1) / p]
    y = 1e-4 + 2e-5 * basis[1] + 3e-9 * basis[2] + 1e-9 * basis[3]
    y *= 1 + 0.02 * rng.standard_normal(48)
    write("fft", "The formula of Fig. 4 of the CALL paper, two variables.", basis, y, 1 / y**2, against_scipy=True)

    x = np.array([1.0, 2.0, 3.0, 5.0])
    write("as-many-as-terms", "n = k: no degree of freedom.", [x**0, x, x**2, x**3], [2.0, 3.0, 5.0, 7.0])
    write("fewer-than-terms", "n < k.", [[1.0, 1.0], [2.0, 4.0], [8.0, 64.0]], [3.0, 5.0])

    rng = np.random.default_rng(6)
    n = np.arange(1.0, 41.0)
    y = 5 + 3 * n + rng.standard_normal(40)
    zero = np.zeros(40)
    write(
        "one-processor",
        "1, N, N / P, log P, N^2, all measured at P = 1: columns 1 and 2 are equal, column 3 is zero.",
        [np.ones(40), n, n, zero, n * n],
        y,
    )
    write("dependent", "The third column is the sum of 1 and 4 N.", [np.ones(40), n, 1 + 4 * n, n * n], y, 1 / y**2)
    write("one-point", "Repetitions of a single point.", [np.ones(5), np.full(5, 7.0)], [1.0, 2.0, 3.0, 4.0, 6.0])

    rng = np.random.default_rng(7)
    n = np.arange(1.0, 301.0)
    y = 1e-9 * (1 + n) * (1 + 0.05 * rng.standard_normal(300))
    write("range", "Columns whose squares leave the range of a double.", [np.full(300, 1e-200), 1e180 * n], y)
    write("growing", "A column that grows from 2 to 2^900.", [np.ones(300), 2.0 ** (3 * n)], y, np.ones(300))


def nist():
    """Statistical Reference Datasets, National Institute of Standards and Technology, linear regression.

    https://www.itl.nist.gov/div898/strd/lls/lls.shtml
    """
    source = "NIST StRD, linear regression, {}: https://www.itl.nist.gov/div898/strd/lls/lls.shtml\nCertified: {}"
    x = np.arange(21.0)
    powers = [x**i for i in range(6)]
    ones = [("1", None)] * 6
    y = sum(powers)
    write("nist-wampler1", source.format("Wampler1", "all coefficients 1"), powers, y, certified=ones)
    exact = [mp.fsum((mp.mpf(int(v)) / 10) ** i for i in range(6)) for v in x]
    write(
        "nist-wampler2",
        source.format("Wampler2", "coefficients 1, 0.1, 0.01, ... but for the rounding of y to a double"),
        powers,
        [float(v) for v in exact],
    )
    half = [759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048]
    delta = np.array([*half, 2048, *reversed(half)], dtype=float)
    for number, factor, error in [
        (3, 1, "2152.32624678170"),
        (4, 100, "215232.624678170"),
        (5, 10000, "21523262.4678170"),
    ]:
        write(
            f"nist-wampler{number}",
            source.format(f"Wampler{number}", f"all coefficients 1, first standard error {error}"),
            powers,
            y + factor * delta,
            certified=[("1", error), *ones[1:]],
        )

    norris = """0.1 0.2 338.8 337.4 118.1 118.2 888.0 884.6 9.2 10.1 228.1 226.5 668.5 666.3 998.5 996.3 449.1 448.6
        778.9 777.0 559.2 558.2 0.3 0.4 0.1 0.6 778.1 775.5 668.8 666.9 339.3 338.0 448.9 447.5 10.8 11.6 557.7 556.0
        228.3 228.1 998.0 995.8 888.8 887.6 119.6 120.2 0.3 0.3 0.6 0.3 557.6 556.8 339.3 339.1 888.0 887.2 998.5
        999.0 778.9 779.0 10.2 11.1 117.6 118.3 228.9 229.2 668.4 669.1 449.2 448.9 0.2 0.5"""
    data = np.array(norris.split(), dtype=float).reshape(-1, 2)
    write(
        "nist-norris",
        source.format("Norris", "-0.262323073774029 (0.232818234301152), 1.00211681802045 (0.429796848199937E-03)"),
        [np.ones(36), data[:, 1]],
        data[:, 0],
        certified=[("-0.262323073774029", "0.232818234301152"), ("1.00211681802045", "0.429796848199937E-03")],
    )

    columns = """60323 61122 60171 61187 63221 63639 64989 63761 66019 67857 68169 66513 68655 69564 69331 70551
        83.0 88.5 88.2 89.5 96.2 98.1 99.0 100.0 101.2 104.6 108.4 110.8 112.6 114.2 115.7 116.9
        234289 259426 258054 284599 328975 346999 365385 363112 397469 419180 442769 444546 482704 502601 518173 554894
        2356 2325 3682 3351 2099 1932 1870 3578 2904 2822 2936 4681 3813 3931 4806 4007
        1590 1456 1616 1650 3099 3594 3547 3350 3048 2857 2798 2637 2552 2514 2572 2827
        107608 108632 109773 110929 112075 113270 115094 116219 117388 118734 120445 121950 123366 125368 127852 130081
        1947 1948 1949 1950 1951 1952 1953 1954 1955 1956 1957 1958 1959 1960 1961 1962"""
    data = np.array(columns.split(), dtype=float).reshape(7, 16)
    certified = [
        ("-3482258.63459582", "890420.383607373"),
        ("15.0618722713733", "84.9149257747669"),
        ("-0.358191792925910E-01", "0.334910077722432E-01"),
        ("-2.02022980381683", "0.488399681651699"),
        ("-1.03322686717359", "0.214274163161675"),
        ("-0.511041056535807E-01", "0.226073200069370"),
        ("1829.15146461355", "455.478499142212"),
    ]
    write(
        "nist-longley",
        source.format("Longley", " ".join(f"{value} ({error})" for value, error in certified)),
        [np.ones(16), *data[1:]],
        data[0],
        certified=certified,
    )

    filip = """0.8116 -6.860120914 0.9072 -4.324130045 0.9052 -4.358625055 0.9039 -4.358426747 0.8053 -6.955852379
        0.8377 -6.661145254 0.8667 -6.355462942 0.8809 -6.118102026 0.7975 -7.115148017 0.8162 -6.815308569
        0.8515 -6.519993057 0.8766 -6.204119983 0.8885 -5.853871964 0.8859 -6.109523091 0.8959 -5.79832982
        0.8913 -5.482672118 0.8959 -5.171791386 0.8971 -4.851705903 0.9021 -4.517126416 0.909 -4.143573228
        0.9139 -3.709075441 0.9199 -3.499489089 0.8692 -6.300769497 0.8872 -5.953504836 0.89 -5.642065153 0.891
        -5.031376979 0.8977 -4.680685696 0.9035 -4.329846955 0.9078 -3.928486195 0.7675 -8.56735134 0.7705
        -8.363211311 0.7713 -8.107682739 0.7736 -7.823908741 0.7775 -7.522878745 0.7841 -7.218819279 0.7971
        -6.920818754 0.8329 -6.628932138 0.8641 -6.323946875 0.8804 -5.991399828 0.7668 -8.781464495 0.7633
        -8.663140179 0.7678 -8.473531488 0.7697 -8.247337057 0.77 -7.971428747 0.7749 -7.676129393 0.7796
        -7.352812702 0.7897 -7.072065318 0.8131 -6.774174009 0.8498 -6.478861916 0.8741 -6.159517513 0.8061
        -6.835647144 0.846 -6.53165267 0.8751 -6.224098421 0.8856 -5.910094889 0.8919 -5.598599459 0.8934
        -5.290645224 0.894 -4.974284616 0.8957 -4.64454848 0.9047 -4.290560426 0.9129 -3.885055584 0.9209
        -3.408378962 0.9219 -3.13200249 0.7739 -8.726767166 0.7681 -8.66695597 0.7665 -8.511026475 0.7703
        -8.165388579 0.7702 -7.886056648 0.7761 -7.588043762 0.7809 -7.283412422 0.7961 -6.995678626 0.8253
        -6.691862621 0.8602 -6.392544977 0.8809 -6.067374056 0.8301 -6.684029655 0.8664 -6.378719832 0.8834
        -6.065855188 0.8898 -5.752272167 0.8964 -5.132414673 0.8963 -4.811352704 0.9074 -4.098269308 0.9119
        -3.66174277 0.9228 -3.2644011"""
    data = np.array(filip.split(), dtype=float).reshape(-1, 2)
    certified = [
        ("-1467.48961422980", "298.084530995537"),
        ("-2772.17959193342", "559.779865474950"),
        ("-2316.37108160893", "466.477572127796"),
        ("-1127.97394098372", "227.204274477751"),
        ("-354.478233703349", "71.6478660875927"),
        ("-75.1242017393757", "15.2897178747400"),
        ("-10.8753180355343", "2.23691159816033"),
        ("-1.06221498588947", "0.221624321934227"),
        ("-0.670191154593408E-01", "0.142363763154724E-01"),
        ("-0.246781078275479E-02", "0.535617408889821E-03"),
        ("-0.402962525080404E-04", "0.896632837373868E-05"),
    ]
    # Powers of decimal fractions do not fit into doubles, and the condition of the scaled columns is 5e9: rounding x^i
    # alone moves the constants by 1e-8.
    write(
        "nist-filip",
        source.format("Filip", " ".join(f"{value} ({error})" for value, error in certified)),
        [data[:, 1] ** i for i in range(11)],
        data[:, 0],
        certified=certified,
        tolerance=mp.mpf("1e-6"),
    )

    pontius = """.11019 150000 .21956 300000 .32949 450000 .43899 600000 .54803 750000 .65694 900000 .76562 1050000
        .87487 1200000 .98292 1350000 1.09146 1500000 1.20001 1650000 1.30822 1800000 1.41599 1950000 1.52399
        2100000 1.63194 2250000 1.73947 2400000 1.84646 2550000 1.95392 2700000 2.06128 2850000 2.16844 3000000
        .11052 150000 .22018 300000 .32939 450000 .43886 600000 .54798 750000 .65739 900000 .76596 1050000
        .87474 1200000 .98300 1350000 1.09150 1500000 1.20004 1650000 1.30818 1800000 1.41613 1950000 1.52408
        2100000 1.63159 2250000 1.73965 2400000 1.84696 2550000 1.95445 2700000 2.06177 2850000 2.16829 3000000"""
    data = np.array(pontius.split(), dtype=float).reshape(-1, 2)
    certified = [
        ("0.673565789473684E-03", "0.107938612033077E-03"),
        ("0.732059160401003E-06", "0.157817399981659E-09"),
        ("-0.316081871345029E-14", "0.486652849992036E-16"),
    ]
    write(
        "nist-pontius",
        source.format("Pontius", " ".join(f"{value} ({error})" for value, error in certified)),
        [data[:, 1] ** i for i in range(3)],
        data[:, 0],
        certified=certified,
    )

    certified = [("2.07438016528926", "0.165289256198347E-01")]
    title = source.format("NoInt1", "2.07438016528926 (0.165289256198347E-01)")
    write("nist-noint1", title, [np.arange(60.0, 71.0)], np.arange(130.0, 141.0), certified=certified)
    certified = [("0.727272727272727", "0.420827318078432E-01")]
    title = source.format("NoInt2", "0.727272727272727 (0.420827318078432E-01)")
    write("nist-noint2", title, [[4.0, 5.0, 6.0]], [3.0, 4.0, 4.0], certified=certified)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    synthetic()
    nist()
