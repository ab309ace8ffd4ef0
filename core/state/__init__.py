"""The state that a dense, stateful scenario is in: operators, dependencies, authority, replay.

The words are those of DSV-Mem (arXiv 2610.08102, appendix B): ``S = (G, W, A, C)``.
"""
