"""Inference on counts: intervals, tests, verdicts and models for balance reports.

Pure functions over counts, small NumPy arrays and dataclasses. Nothing here reads a file, knows a
rule or speaks SQL. Import the module that is needed (``from pipeline.stats import seats``);
importing the package alone does no work.

Who wins: ``patterns`` (the counted form of games), ``seats``, ``seat_tests``, ``multinomial``,
``spread``, ``verdicts`` with ``power`` and ``equivalence``, ``logit`` over ``choice``,
``sequential``. What players do: ``exchange``. What variants change: ``variants``, ``labels``,
``mantel_haenszel``, ``effects``. How games run: ``dynamics``. Skill and luck: ``skill``. Common
tools: ``intervals``, ``means``, ``multiplicity``, ``bootstrap``, ``distributions``.

Conventions: probabilities and shares lie in 0..1 and are turned into percentage points only in
sentences; seats are 0-based in data and 1-based in sentences; p-values are two-sided unless said
otherwise; every random procedure takes its seed. What cannot be estimated from the data at hand
raises :class:`pipeline.stats.errors.NotEnough`.
"""
