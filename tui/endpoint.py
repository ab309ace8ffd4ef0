"""Which endpoint is asked: the flag's, the environment's, or the configuration's."""

import os

from mnemoscope.core.backbones.settings import EndpointSettings, choose_endpoint

__all__ = ["chosen_endpoint"]


def chosen_endpoint(url: str = "", timeout: float = 120.0) -> EndpointSettings:
    """The endpoint to ask.

    Args:
        url: What the user named just now.
        timeout: Seconds that one attempt may take.

    Raises:
        UsageError: No endpoint is named anywhere, or its URL cannot be used.
    """
    from mnemoscope.tui.config import config_file, load_config

    config, _ = load_config(config_file())
    return choose_endpoint(
        os.environ,
        url=url,
        config_url=config.endpoint_url,
        config_key=config.endpoint_key,
        timeout=timeout,
    )
