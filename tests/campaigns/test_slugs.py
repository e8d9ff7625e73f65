"""Names in addresses are matched in full."""

import pytest
from django.core.exceptions import ValidationError

from campaigns.models.fields import slug_validator


@pytest.mark.parametrize("name", ["a", "core17", "a.b-c_d", "x" * 64])
def test_slug(name):
    slug_validator(name)


@pytest.mark.parametrize(
    "name", ["", "A", "Track a", "../a", "a/b", "<b>a", "-a", "a-", "a\n", "é", "x" * 65]
)
def test_no_slug_even_if_a_part_of_it_would_be_one(name):
    with pytest.raises(ValidationError):
        slug_validator(name)
