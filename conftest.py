"""Lets pytest run the code blocks of the pages. Here and not in docs/, where it would be published."""

from tests.publish.docs_examples import pytest_collect_file

__all__ = ["pytest_collect_file"]
