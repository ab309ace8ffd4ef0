import json
import os
import pty
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from cli_data import fused_rows, fused_run, release, text_rows, text_run, write, write_all
from mnemoscope import __version__
