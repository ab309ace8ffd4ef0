"""The parts that make the bundled sample: stories, pictures, sounds, runs and planted defects."""
