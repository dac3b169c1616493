-- This wrk script sends logins with a wrong password. Each login uses a different account, and each
-- address sends 20 logins, so that no failure limit is reached. Its arguments are the number of
-- requests sent in earlier rounds and the number of players.
local GUESSES_PER_ADDRESS = 20
local sent, players
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)')
dofile(folder .. 'counted.lua')

function init(args)
  sent, players = tonumber(args[1]), tonumber(args[2])
  expect(401)
end

function request()
  sent = sent + 1
  local player = sent * 7919777 % players + 1
  local number = math.floor(sent / GUESSES_PER_ADDRESS)
  local address = string.format('10.%d.%d.%d', number / 65536 % 256, number / 256 % 256, number % 256)
  local headers = { ['Content-Type'] = 'application/json', ['X-Forwarded-For'] = address }
  local body = string.format('{"account":"player%08d","password":"a guess"}', player)
  return wrk.format('POST', '/api/login', headers, body)
end
