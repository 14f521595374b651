"""The encoder, the tags and the copied HMAC states."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from referee.sealing import encode


def test_every_tag_is_listed_once() -> None:
    assert len(set(encode.TAGS)) == len(encode.TAGS) == 19


def test_every_tag_of_the_module_is_in_the_list() -> None:
    named = {
        value
        for name, value in vars(encode).items()
        if name.isupper() and isinstance(value, bytes) and not name.startswith("_")
    }
    assert named - {encode.PREFIX} == set(encode.TAGS)


def test_lengths_keep_moved_boundaries_apart() -> None:
    assert encode.lp(b"ab", b"c") != encode.lp(b"a", b"bc")
    assert encode.lp(b"abc") != encode.lp(b"abc", b"")


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_two_lists_give_the_same_bytes_only_where_they_are_equal(
    one: list[bytes], other: list[bytes]
) -> None:
    assert (encode.lp(*one) == encode.lp(*other)) == (one == other)


@given(st.binary(max_size=200), st.lists(st.binary(max_size=100), min_size=1, max_size=3))
def test_copied_states_give_what_the_library_gives(key: bytes, messages: list[bytes]) -> None:
    ours = encode.Mac(key)
    assert [ours.digest(m) for m in messages] == [hmac.digest(key, m, "sha256") for m in messages]
