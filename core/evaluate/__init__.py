"""Evaluations: histories into memories, questions to backbones, records into a run that resumes."""
