#!/bin/sh
# A bot has little to compile and much to load: one quick compiler, and classes from an archive.
# Without the archive, or under another Java than made it, the bot starts all the same, only later.
here=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:SharedArchiveFile="$here/target/euchre-bot.jsa" \
  -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -Xlog:all=error:stderr \
  -cp "$here/target/euchre-bot.jar" euchre.bot.bots.@BOT@ "$@"
