"""A public key as a word of the command line."""

import click

from referee.sealing import KeyFormError, VerifyKey, parse_key


class KeyType(click.ParamType[VerifyKey]):
    """A public key in its printed form."""

    name = "key"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> VerifyKey:
        """Parse the form name+id+base64, or fail as a usage error."""
        try:
            return parse_key(str(value))
        except KeyFormError as err:
            self.fail(str(err), param, ctx)
