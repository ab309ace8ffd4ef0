"""Trackers: answers to a generated release's questions that go wrong in one known way each.

Instruments, not contestants: they are handed what texts mean and what questions read, which only
the evaluator knows, so that there are runs whose mistakes have known causes.
"""
