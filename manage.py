#!/usr/bin/env python
"""Django's command line."""

import sys

from django.core.management import execute_from_command_line

from config import env

if __name__ == "__main__":
    env.use_project_settings()
    execute_from_command_line(sys.argv)
