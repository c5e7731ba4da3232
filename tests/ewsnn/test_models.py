"""The classifier and its reading. Oracle: the layer, and NumPy."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import BatchNorm, EWSClassifier, Increments, LevelGain, Reading, clocks, generators, tensor

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


KEY = jax.random.key(0)
VALUE = Reading(("values",), base_point=False)


def heartbeat() -> EWSClassifier:
    gains, clock = LevelGain.init(KEY, 3), clocks.Blended(1.0)
    return EWSClassifier.init(KEY, 61, 10, 2, 3, reading=Reading(), clock=clock, output="mean", norm=gains)


def motor_imagery() -> EWSClassifier:
    skew, gains = generators.Skew.init(KEY, 16), LevelGain.init(KEY, 3)
    return EWSClassifier.init(KEY, 64, 16, 2, 3, reading=VALUE, generator=skew, norm=gains)


def self_regulation_1() -> EWSClassifier:
    parts = {"generator": generators.Skew.init(KEY, 17), "clock": clocks.Variation(), "norm": LevelGain.init(KEY, 2)}
    return EWSClassifier.init(KEY, 6, 17, 2, 2, reading=VALUE, output="mean", **parts)


def self_regulation_2() -> EWSClassifier:
    parts = {"generator": generators.Skew.init(KEY, 14), "clock": clocks.Blended(1.0), "norm": LevelGain.init(KEY, 3)}
    return EWSClassifier.init(KEY, 7, 14, 2, 3, reading=VALUE, **parts)


def ethanol() -> EWSClassifier:
    reading, norm = Reading(("derivative",), base_point=False), BatchNorm.init(KEY, 24, 2)
    return EWSClassifier.init(KEY, 3, 24, 4, 2, reading=reading, norm=norm)


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (heartbeat, 2_847),
        (motor_imagery, 9_887),
        (self_regulation_1, 856),
        (self_regulation_2, 6_104),
        (ethanol, 2_508),
    ],
)
def test_single_layers_have_as_many_parameters_as_the_papers(make, count):
    # All of the model but the numbers themselves, which nobody has to draw to count them.
    def trained():
        model = make()
        return eqx.filter(model, model.trainable())

    assert sum(leaf.size for leaf in jax.tree.leaves(eqx.filter_eval_shape(trained))) == count


def test_gains_act_on_the_levels_before_the_read_out(model):
    read = model.reading(X, lengths=LENGTHS)
    gained = eqx.tree_at(lambda m: m.norm, model, LevelGain([2.0, -3.0]), is_leaf=lambda x: x is None)
    features = np.asarray(eqx.filter_jit(EWSClassifier.features)(model, read))
    found = eqx.filter_jit(EWSClassifier.features)(gained, read)
    factors = np.repeat([1.0, 2.0, -3.0], [1, 4, 16])
    np.testing.assert_allclose(found, factors * features, rtol=0, atol=20 * EPS * np.abs(features).max())


def test_batch_normalisation_sees_the_batch_in_training_and_the_training_set_afterwards():
    norm = BatchNorm([2.0, 3.0], [0.5, -0.5], *(BatchNorm.init(KEY, 2, 2).mean,) * 2)
    normed = eqx.filter_jit(EWSClassifier.init)(KEY, 3, 2, 2, 2, generator=generators.Zero(2), norm=norm)
    normed = eqx.tree_at(lambda m: m.weight, normed, np.random.default_rng(0).normal(size=(2, 7)))
    read = normed.reading(X, lengths=LENGTHS)
    calibrated = normed.calibrated(read)
    stored = logits(calibrated, read)
    in_training, updated = eqx.filter_jit(EWSClassifier.of_batch)(normed, read)
    # The batch is the whole set here.
    np.testing.assert_allclose(in_training, stored, rtol=0, atol=200 * EPS * float(jnp.abs(stored).max()))
    assert (updated.weight == normed.weight).all()
    assert isinstance(updated.norm, BatchNorm)
    assert isinstance(calibrated.norm, BatchNorm)
    np.testing.assert_allclose(updated.norm.mean[0], 0.1 * calibrated.norm.mean[0], rtol=0, atol=20 * EPS)
    spec = calibrated.trainable()
    assert spec.norm.gain
    assert spec.norm.bias
    assert not any(jax.tree.leaves((spec.norm.mean, spec.norm.deviation)))


def test_norms_that_do_not_fit_are_refused(model):
    with pytest.raises(ValueError, match="the norm is for 3 levels, the layer has 2"):
        EWSClassifier.init(jax.random.key(0), 3, 2, 2, 2, norm=LevelGain([1.0] * 3))
    with pytest.raises(TypeError, match="only a classifier with a BatchNorm"):
        model.of_batch(model.reading(X))
