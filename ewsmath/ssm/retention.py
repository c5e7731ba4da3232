"""Retention, with rotary keys and xPos: heads that forget at a fixed rate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from ewsmath.generators import Rotation
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, AbstractBalls, Ring
from ewsmath.rings.door import of_kind, whole
from ewsmath.ssm.culver import SINGULAR
from ewsmath.ssm.fractions import FRACTIONS, sign
from ewsmath.ssm.functions import logarithm, reduced_angle, square_root, todd
from ewsmath.ssm.model import AbstractModel, complex_vector, input_vector
from ewsmath.ssm.numbers import array
from ewsmath.ssm.parts import Converted, Increment, Layer, Reading, Step
from ewsmath.ssm.working_ring import complexified, imag_part, in_balls, real_part


class Token(NamedTuple):
    """What the heads of a retention are given at one position, before any rotation.

    Attributes:
        query: H x K numbers.
        key: H x K numbers.
        value: H x V numbers.

    >>> Token([[1, 0]], [[1, 2]], [[3]]).key
    [[1, 2]]
    """

    query: Sequence[Sequence[Any]]
    key: Sequence[Sequence[Any]]
    value: Sequence[Sequence[Any]]


class AbstractRetention(AbstractModel):
    r"""H heads of retention, with K keys and V values each; states (head, key, value) in row-major order.

    .. math:: S_n = γ S_{n-1} + \tilde k_n v_n^{⊤}, \qquad y_n = \tilde q_n S_n, \qquad n = 0, 1, …

    Each pair of keys is turned by the angle nϑ and divided by ζ^n, each pair of queries turned by nϑ and multiplied
    by ζ^n: rotary embedding, with the factors ζ of xPos. The turned-back state H_n = ζ^n R(-nϑ) S_n is an EWS
    with unit clock which has, for each head, pair of keys and value, the block and increment

    .. math:: \begin{pmatrix} λ & -ϑ \\ ϑ & λ \end{pmatrix}, \qquad ΔX = g(λ + iϑ)\, (k_1 + i k_2)\, v, \qquad
        λ = -\log(γζ), \quad g(z) = \frac{z}{1 - e^{-z}}

    with the keys before they are turned, and the moving frame S_n = ζ^{-n} R(nϑ) H_n leads back. Plain retention
    has ϑ = 0 and ζ = 1: generator (-log γ) I, ΔX = g(-log γ) k vᵀ. In balls angles are taken modulo 2π.

    Args:
        decay: The H numbers γ > 0.
        keys: The number K of keys, even.
        values: The number V of values.
        angle: The K/2 angles ϑ, one for each pair of keys (2p, 2p + 1); None for zeros.
        scale: The K/2 factors ζ > 0 of xPos; None for ones.
        normalised: Whether outputs are divided by the root of 1 + γ + … + γ^n.

    Paper: Appendix E; Table 3.
    """

    decay: Any
    keys: int
    values: int
    angle: Any
    scale: Any
    normalised: bool

    def __init__(self, decay: Any, keys: int, values: int, angle: Any, scale: Any, normalised: bool) -> None:
        name = type(self).__name__
        of_kind(normalised, bool, f"{name}: normalised is True or False", "give one of the two")
        decay = array(decay, [None], f"{name}: the decays")
        K, V = whole(keys, f"{name}: the number of keys"), whole(values, f"{name}: the number of values")
        if K % 2:
            raise ValueError(f"{name}: keys come in pairs, got {K}: append a key that is 0")
        angle = array([0] * (K // 2) if angle is None else angle, [K // 2], f"{name}: the angles")
        scale = array([1] * (K // 2) if scale is None else scale, [K // 2], f"{name}: the factors of xPos")
        self._set(decay=decay, keys=K, values=V, angle=angle, scale=scale, normalised=normalised)

    @abstractmethod
    def tokens(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Token]:
        """Queries, keys and values at each position, over the working ring, before any rotation.

        Args:
            ring: The working ring.
            inputs: The inputs, one for each position.

        Returns:
            A token for each position.
        """

    def obstacle(self) -> str | None:
        """Whether a decay or a factor of xPos is 0, or negative, decided."""
        for x in (*self.decay, *self.scale):
            if sign(x) == 0:
                return SINGULAR
            if sign(x) < 0:
                return f"no real logarithm: the decay or factor {x} is negative; turn the keys by half a turn instead"
        return None

    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The decays γ as blocks of size 1, and the drives k̃ vᵀ."""
        field = complexified(ring)
        decays = [Matrix(field, [[x]]) for x in self.decay]
        blocks, found = [x for x in decays for _ in range(self.keys * self.values)], []
        for n, token in enumerate(self.tokens(ring, inputs)):
            turned = [self._turned(ring, key, n, -n) for key in token.key]
            drive = [k * v for keys, row in zip(turned, token.value, strict=True) for k in keys for v in row]
            found.append(Step(blocks, complex_vector(ring, drive)))
        return found

    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The queries q̃ for each value, divided by the normaliser where it is on."""
        H, K, V, field, found = len(self.decay), self.keys, self.values, complexified(ring), []
        for n, token in enumerate(self.tokens(ring, inputs)):
            rows = []
            for h, query in enumerate(token.query):
                weights = complex_vector(
                    ring, [self._normaliser(ring, h, n) * q for q in self._turned(ring, query, n, n)]
                )
                for v in range(V):
                    row = [field.zero] * (H * K * V)
                    row[h * K * V + v : (h + 1) * K * V : V] = weights
                    rows.append(row)
            found.append(Reading(Matrix(field, rows), [ring.zero] * (H * V)))
        return found

    def convert(self, ring: Ring[Any]) -> Converted:
        """A layer for each head and pair of keys, with a rotation block for each value."""
        lift = Matrix.identity(ring, 2 * self.values)
        layers = []
        for alpha in self._exponents(ring):
            a, w = [real_part(alpha)] * self.values, [imag_part(alpha)] * self.values
            layers.append(Layer(Rotation(a, w, ring=ring), lift))
        return Converted(layers, None)

    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """The unit clock, and the increments of the paths."""
        field, i, tokens = complexified(ring), complexified(ring).coerce(QQ_I.i), self.tokens(ring, inputs)
        found = []
        for index, alpha in enumerate(self._exponents(ring)):
            h, p = divmod(index, self.keys // 2)
            factor, own = todd(field, alpha), []
            for token in tokens:
                k1, k2 = complex_vector(ring, token.key[h][2 * p : 2 * p + 2])
                entries = [factor * (k1 + i * k2) * v for v in complex_vector(ring, token.value[h])]
                own.append(Increment(ring.one, [part(z) for z in entries for part in (real_part, imag_part)]))
            found.append(own)
        return found

    def frame(self, ring: Ring[Any], j: int) -> Matrix[Any]:
        """The moving frame ζ^{-j} R(jϑ), from the order (head, pair, value, key of the pair) to that of the state."""
        H, K, V, field = len(self.decay), self.keys, self.values, complexified(ring)
        size = H * K * V
        rows = [[field.zero] * size for _ in range(size)]
        for h in range(H):
            for p in range(K // 2):
                (c, s), z = self._cosine_sine(ring, p, j), self._power(ring, p, -j)
                for v in range(V):
                    first, second = (h * K + 2 * p) * V + v, (h * K + 2 * p + 1) * V + v
                    column = (h * K + 2 * p) * V + 2 * v
                    rows[first][column : column + 2] = complex_vector(ring, [z * c, -z * s])
                    rows[second][column : column + 2] = complex_vector(ring, [z * s, z * c])
        return Matrix(field, rows)

    def _turned(self, ring: Ring[Any], vector: Sequence[Any], n: int, power: int) -> list[Any]:
        """Each pair turned by nϑ and multiplied by a power of ζ."""
        found = []
        for p in range(self.keys // 2):
            (c, s), z = self._cosine_sine(ring, p, n), self._power(ring, p, power)
            x, y = vector[2 * p : 2 * p + 2]
            found += [z * (c * x - s * y), z * (s * x + c * y)]
        return found

    def _cosine_sine(self, ring: Ring[Any], p: int, n: int) -> tuple[Any, Any]:
        field: Any = complexified(ring)
        z = field.exp(field.coerce(QQ_I.i) * field.coerce(self.angle[p]) * n)
        return real_part(z), imag_part(z)

    def _power(self, ring: Any, p: int, n: int) -> Any:
        base, value = ring.coerce(self.scale[p]), ring.one
        for _ in range(abs(n)):
            value = value * base
        return value if n >= 0 else ring.inverse(value)

    def _normaliser(self, ring: Ring[Any], h: int, n: int) -> Any:
        if not self.normalised:
            return ring.one
        total = power = ring.one
        for _ in range(n):
            power = power * ring.coerce(self.decay[h])
            total = total + power
        return in_balls(ring, "the normaliser of a retention").inverse(square_root(ring, total))  # type: ignore[attr-defined]

    def _exponents(self, ring: Ring[Any]) -> list[Any]:
        """The numbers λ + iϑ of each head and pair, over the complex ring."""
        field = complexified(ring)
        i = field.coerce(QQ_I.i)
        angles = [reduced_angle(field, field.coerce(x)) for x in self.angle]
        pairs = list(zip(self.scale, angles, strict=True))
        return [-_logarithm(field, x, zeta) + i * angle for x in self.decay for zeta, angle in pairs]


def _logarithm(field: Ring[Any], *factors: Any) -> Any:
    """The logarithm of a product of positive numbers; exact where all are powers of e."""
    if isinstance(field, AbstractBalls):
        total = field.one
        for x in factors:
            total = total * field.coerce(x)
        return logarithm(field, total)
    total = field.zero
    for x in factors:
        terms = FRACTIONS.coerce(x)
        powers = list(terms.numerator.terms.items())
        if terms.denominator != 1 or len(powers) != 1 or powers[0][1] != 1:
            raise ValueError(f"the logarithm of {x} is not in {field.name}: give EE.exp(q), or work in balls")
        total = total + field.coerce(powers[0][0])
    return total


class Retention(AbstractRetention):
    """Retention by itself, with the formulas of :class:`AbstractRetention`: its inputs are a :class:`Token` each.

    Args:
        decay: The H numbers γ > 0.
        keys: The number K of keys, even.
        values: The number V of values.
        angle: The K/2 angles ϑ, one for each pair of keys; None for zeros.
        scale: The K/2 factors ζ > 0 of xPos; None for ones.
        normalised: Whether outputs are divided by the root of 1 + γ + … + γ^n.

    Raises:
        ValueError: Shapes differ, or the number of keys is odd.
        TypeError: A number is not exact, or an input is no :class:`Token`.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.rings import EE
    >>> from ewsmath.ssm import Conversion, distance
    >>> head = Retention([EE.exp(EE.ratio(-1, 2))], keys=2, values=1, angle=[1])
    >>> distance(Conversion(head, FRACTIONS), [Token([[1, 0]], [[1, 2]], [[3]])] * 2).state
    0
    """

    def __init__(
        self, decay: Any, keys: int, values: int, *, angle: Any = None, scale: Any = None, normalised: bool = False
    ) -> None:
        super().__init__(decay, keys, values, angle, scale, normalised)

    def tokens(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Token]:
        """The inputs, as numbers of the ring.

        Args:
            ring: The ring to work in.
            inputs: The :class:`Token` of each position.

        Returns:
            One token for each position.

        >>> Retention([1], keys=2, values=1).tokens(FRACTIONS, [Token([[1, 0]], [[1, 2]], [[3]])])
        [Token(query=[[1, 0]], key=[[1, 2]], value=[[3]])]
        """
        H, K, V = len(self.decay), self.keys, self.values
        found = []
        for j, token in enumerate(inputs):
            of_kind(token, Token, "Retention takes tokens", "give Token(query, key, value)")
            parts = zip(token, ([H, K], [H, K], [H, V]), strict=True)
            found.append(
                Token(*([[ring.coerce(x) for x in row] for row in array(v, s, f"input {j}")] for v, s in parts))
            )
        return found


class MultiScaleRetention(AbstractRetention):
    r"""The retention layer of a released model, up to its group norm; in balls.

    .. math:: q = W_q x, \qquad k = K^{-1/2} W_k x, \qquad v = W_v x, \qquad K = E/H

    Outputs are normalised, and positions count from 0. Formulas are those of :class:`AbstractRetention`.

    Args:
        q_proj: E x M rationals.
        k_proj: E x M rationals.
        v_proj: HV x M rationals.
        angle: K rationals, each repeated for the two keys of its pair.
        decay: H rationals, γ itself.

    Raises:
        ValueError: Shapes differ, or the two angles of a pair.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.ssm import certify
    >>> model = MultiScaleRetention([[1], [0]], [[1], [0]], [[1]], angle=[1, 1], decay=[QQ.ratio(1, 2)])
    >>> certify(model, [[1], [2]], digits=30).holds(30)
    True
    """

    q_proj: Any
    k_proj: Any
    v_proj: Any

    def __init__(self, q_proj: Any, k_proj: Any, v_proj: Any, angle: Any, decay: Any) -> None:
        angle = array(angle, [None], "MultiScaleRetention: angle")
        decay = array(decay, [None], "MultiScaleRetention: decay")
        if len(angle) % 2 or angle[::2] != angle[1::2]:
            raise ValueError("MultiScaleRetention: the angles of the two keys of a pair are equal: repeat each")
        H, K = len(decay), len(angle)
        q_proj = array(q_proj, [H * K, None], "MultiScaleRetention: q_proj")
        M = len(q_proj[0])
        v_proj = array(v_proj, [None, M], "MultiScaleRetention: v_proj")
        if len(v_proj) % H:
            raise ValueError(f"MultiScaleRetention: {len(v_proj)} values for {H} heads")
        self._set(q_proj=q_proj, k_proj=array(k_proj, [H * K, M], "MultiScaleRetention: k_proj"), v_proj=v_proj)
        super().__init__(decay, K, len(v_proj) // H, angle[::2], None, True)

    def tokens(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Token]:
        """The projections of each input.

        Args:
            ring: Balls: keys are divided by the root of their number.
            inputs: The inputs, M numbers each.

        Returns:
            One token for each input.

        >>> from ewsmath.rings import Balls
        >>> model = MultiScaleRetention([[1], [0]], [[1], [0]], [[5]], angle=[0, 0], decay=[1])
        >>> (token,) = model.tokens(Balls(64), [[3]])
        >>> token.value[0][0] == 15, token.key[0][0] * token.key[0][0] * 2 == 9
        (True, True)
        """
        q, k, v = (Matrix(ring, rows) for rows in (self.q_proj, self.k_proj, self.v_proj))
        factor = in_balls(ring, "the factor of the keys").inverse(square_root(ring, ring.coerce(self.keys)))
        found = []
        for j, u in enumerate(inputs):
            x = input_vector(ring, u, q.shape[1], j)
            keys = [factor * y for y in k.apply(x)]
            found.append(Token(*map(self._by_head, (q.apply(x), keys, v.apply(x)))))
        return found

    def _by_head(self, vector: list[Any]) -> list[list[Any]]:
        size = len(vector) // len(self.decay)
        return [vector[i : i + size] for i in range(0, len(vector), size)]
