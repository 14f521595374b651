#!/usr/bin/env lua5.4
-- Plays Euchre over standard input and output without any library: change choose.

-- Any legal action, picked by the question's number.
local function choose(legal, id)
  return legal[id * 7 % #legal + 1]
end

local function field(line, name)
  return line:match('"' .. name .. '" *: *"?([%w_-]+)')
end

io.stdout:setvbuf("line")
for line in io.lines() do
  local op, id, legal = field(line, "op"), tonumber(field(line, "id")), {}
  if op == "hello" then
    print('{"name":"lua-bot","ops":[]}')
  elseif op == "choose" then
    for action in line:match('"legal" *: *(%b[])'):gmatch('"([^"]+)"') do
      legal[#legal + 1] = action
    end
    print(('{"id":%d,"action":"%s"}'):format(id, choose(legal, id)))
  elseif op == "end" then
    break
  end
end
