"""The classifier and its reading. Oracle: the layer, and NumPy."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSClassifier, Increments, Reading, tensor

EPS = 2.0**-52
# Compiled: operation by operation, most of the time would go into compiling single ones.
logits = eqx.filter_jit(EWSClassifier.__call__)
standardised = eqx.filter_jit(EWSClassifier.standardised)
X = np.random.default_rng(0).normal(size=(8, 6, 3))
LENGTHS = np.array([6, 3, 1, 2, 5, 6, 4, 2])


@pytest.fixture(scope="module")
def model() -> EWSClassifier:
    found = EWSClassifier.init(jax.random.key(0), d=3, m=4, classes=5, depth=2)
    weight = jax.random.normal(jax.random.key(1), found.weight.shape)
    return eqx.tree_at(lambda m: (m.weight, m.bias), found, (weight, jnp.arange(5.0)))


def test_logits_are_linear_in_the_features_with_level_zero_among_them(model):
    read = model.reading(X, lengths=LENGTHS)
    features = np.asarray(eqx.filter_jit(lambda: tensor.features(model.layer(read)))())
    assert features.shape == (8, 1 + 4 + 16)
    assert (features[:, 0] == 1).all()
    expected = features @ np.asarray(model.weight).T + np.arange(5.0)
    np.testing.assert_allclose(logits(model, read), expected, rtol=0, atol=100 * EPS * np.abs(expected).max())


def test_calibration_standardises_the_features_and_leaves_the_constant(model):
    read = model.reading(X, lengths=LENGTHS)
    calibrated = model.calibrated(read)
    found = np.asarray(standardised(calibrated, read))
    assert (found[:, 0] == 1).all()
    np.testing.assert_allclose(found[:, 1:].mean(axis=0), 0, atol=100 * EPS)
    np.testing.assert_allclose(found[:, 1:].std(axis=0), 1, atol=100 * EPS)


def test_features_that_do_not_vary_give_no_nan(model):
    constant = X.copy()
    constant[..., 0] = 7.0
    still = model.reading(np.zeros_like(X))
    for read in (still, model.reading(constant)):
        calibrated = model.calibrated(read)
        assert jnp.isfinite(logits(calibrated, read)).all()
        assert (calibrated.scale > 0).all()


def test_a_case_does_not_depend_on_the_others(model):
    calibrated = model.calibrated(model.reading(X, lengths=LENGTHS))
    alone = logits(calibrated, model.reading(X[:1], lengths=LENGTHS[:1]))
    wild = np.concatenate([X[:1], 100 * X[1:]])
    among = logits(calibrated, model.reading(wild, lengths=LENGTHS))
    np.testing.assert_allclose(among[:1], alone, rtol=0, atol=1e-12 * float(jnp.abs(alone).max()))


@pytest.mark.parametrize(("cases", "d", "points", "classes"), [(1, 1, 1, 1), (1, 3, 4, 2), (33, 1, 2, 1)])
def test_logits_keep_their_axes(cases, d, points, classes):
    model = EWSClassifier.init(jax.random.key(0), d=d, m=2, classes=classes, depth=2)
    assert logits(model, model.reading(np.ones((cases, points, d)))).shape == (cases, classes)
    assert jax.eval_shape(model, model.reading(np.ones((points, d)))).shape == (classes,)


def test_an_untrained_model_prefers_no_class():
    model = EWSClassifier.init(jax.random.key(0), d=3, m=2, classes=4, depth=2)
    assert (logits(model, model.reading(X)) == 0).all()


def test_shift_and_scale_are_not_trained(model):
    spec = model.trainable()
    assert (spec.shift, spec.scale) == (False, False)
    assert spec.weight
    assert spec.bias
    assert spec.layer.lift
    read = model.reading(X)
    gradient = eqx.filter_jit(eqx.filter_grad(lambda m: jnp.sum(m(read) ** 2)))(model)
    assert (gradient.shift == 0).all()
    assert (gradient.scale == 0).all()
    assert (gradient.weight != 0).any()
    trained, fixed = eqx.partition(model, spec)
    assert trained.shift is None
    assert fixed.weight is None


def test_reading_joins_what_it_is_told():
    read = Reading(("values", "integral"), time=True)(X, lengths=LENGTHS)
    assert read.dx.shape == (8, 6, Reading(("values", "integral"), time=True).channels_of(3))
    values = Increments.from_values(X, lengths=LENGTHS).with_base_point()
    integral = Increments.integral(X, lengths=LENGTHS)
    assert (read.dx[..., :3] == values.dx).all()
    assert (read.dx[..., 3:6] == integral.dx).all()
    assert (read.dx[..., 6] == values.dt).all()
    assert (read.valid == values.valid).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Reading(("signal",)), "each once, of 'values', 'integral', 'derivative', got"),
        (lambda: Reading(()), "one or more"),
        (lambda: Reading(("values", "values")), "each once"),
        (lambda: Reading(("values", "derivative")), "a derivative has fewer steps"),
        (lambda: Reading(("values", "integral"), base_point=False), "need base_point=True"),
    ],
)
def test_bad_readings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_calibration_needs_cases(model):
    with pytest.raises(ValueError, match=r"needs paths \(cases, steps, channels\), got \(6, 3\)"):
        model.calibrated(model.reading(X[0]))


def test_models_of_one_kind_share_their_trace():
    traces = []

    @eqx.filter_jit
    def run(model, read):
        traces.append(1)
        return model(read)

    for seed in range(3):
        model = EWSClassifier.init(jax.random.key(seed), d=3, m=2, classes=2, depth=1)
        run(model, model.reading(seed * X))
    assert len(traces) == 1
