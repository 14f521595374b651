"""Ed25519 keys and signatures in their one form."""

from base64 import b64encode

import pytest

from referee.sealing.errors import KeyFormError
from referee.sealing.keys import SigningKey, VerifyKey, parse_key
from referee.sealing.messages import key_id

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
KEY = SigningKey.from_bytes("tester", bytes(range(32)))


def add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of the curve."""
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % P
    x3 = (x1 * y2 + y1 * x2) * pow(1 + product, P - 2, P) % P
    y3 = (y1 * y2 + x1 * x2) * pow(1 - product, P - 2, P) % P
    return x3, y3


def x_of(y: int) -> int:
    """An x of a y on the curve."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert (x * x - square) % P == 0
    return x


def small_points() -> set[tuple[int, int]]:
    """The eight points whose order divides eight, found from any point by multiplying with L."""
    for y in range(2, 40):
        try:
            point = (x_of(y), y)
        except AssertionError:
            continue
        total, factor = (0, 1), L
        while factor:
            if factor & 1:
                total = add(total, point)
            point = add(point, point)
            factor >>= 1
        cycle = [(0, 1)]
        while (step := add(cycle[-1], total)) != (0, 1):
            cycle.append(step)
        if len(cycle) == 8:
            return set(cycle)
    raise AssertionError


SMALL = sorted(small_points())


@pytest.mark.parametrize("index", range(8))
def test_each_point_of_small_order_is_refused(index: int) -> None:
    x, y = SMALL[index]
    raw = (y | (x & 1) << 255).to_bytes(32, "little")
    with pytest.raises(KeyFormError, match="small order"):
        VerifyKey("n", raw)


@pytest.mark.parametrize("y", [P, P + 1, P + 18, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_a_key_that_is_not_reduced_is_refused(y: int, sign: int) -> None:
    with pytest.raises(KeyFormError, match="not reduced"):
        VerifyKey("n", (y | sign << 255).to_bytes(32, "little"))


def test_a_signature_verifies_under_its_key_and_message_only() -> None:
    sig = KEY.sign(b"message")
    assert KEY.public.accepts(sig, b"message")
    assert not KEY.public.accepts(sig, b"massage")
    other = SigningKey.from_bytes("other", bytes(32))
    assert not other.public.accepts(sig, b"message")


def test_a_signature_with_the_group_order_added_is_refused() -> None:
    sig = KEY.sign(b"message")
    s = int.from_bytes(sig[32:], "little")
    assert not KEY.public.accepts(sig[:32] + (s + L).to_bytes(32, "little"), b"message")


def test_a_signature_whose_point_is_not_reduced_is_refused() -> None:
    assert not KEY.public.accepts(P.to_bytes(32, "little") + bytes(32), b"message")


@pytest.mark.parametrize("size", [0, 63, 65])
def test_a_signature_of_another_length_is_refused(size: int) -> None:
    assert not KEY.public.accepts(bytes(size), b"message")


def test_the_public_form_reads_back() -> None:
    assert parse_key(KEY.public.text) == KEY.public
    assert KEY.public.text.split("+")[1] == key_id("tester", KEY.public.raw)


def test_a_pem_file_reads_back() -> None:
    assert SigningKey.from_pem("tester", KEY.pem()).public == KEY.public


def test_a_representation_shows_the_public_half_alone() -> None:
    assert repr(KEY) == f"SigningKey(public={KEY.public.text!r})"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "name+00000000",
        "name+00000000+AAAA",
        KEY.public.text[:-1],
        KEY.public.text + "=",
        KEY.public.text.replace("tester", "taster"),
        KEY.public.text.replace("+", " "),
        " " + KEY.public.text,
        KEY.public.text + "\n",
        "bad name+" + KEY.public.text.partition("+")[2],
        "é+" + KEY.public.text.partition("+")[2],
        "n+" + key_id("n", bytes(32)) + "+" + b64encode(bytes(32)).decode(),
    ],
)
def test_a_text_that_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(KeyFormError):
        parse_key(text)


@pytest.mark.parametrize("pem", [b"", b"no key", KEY.pem()[:-40], KEY.pem().replace(b"M", b"N")])
def test_bytes_that_are_no_key_file_are_refused(pem: bytes) -> None:
    with pytest.raises(KeyFormError):
        SigningKey.from_pem("n", pem)
