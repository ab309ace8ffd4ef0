"""stub"""

from mnemoscope.sample_data._maker.story import Story


def broken_files(story: Story, release: dict[str, bytes]) -> dict[str, bytes]:
    return {}
