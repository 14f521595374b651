#!/bin/sh
# The sample bot in Perl behind the bridge, with the flags of a client.
top=$(cd "$(dirname "$0")/../.." && pwd)
exec "${BOT_PYTHON:-$top/.venv/bin/python}" -m referee.cli.bridge "perl '$top/clients/perl/bot.pl'" "$@"
