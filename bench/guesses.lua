-- For wrk: logins with a wrong password. Each meets another account, and an address sends no more than 20, so that no
-- count of failures ever comes near its limit. Arguments: how many were sent before, and how many players there are.
local GUESSES_OF_AN_ADDRESS = 20
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
  local place = math.floor(sent / GUESSES_OF_AN_ADDRESS)
  local address = string.format('10.%d.%d.%d', place / 65536 % 256, place / 256 % 256, place % 256)
  local headers = { ['Content-Type'] = 'application/json', ['X-Forwarded-For'] = address }
  local body = string.format('{"account":"player%08d","password":"a guess"}', player)
  return wrk.format('POST', '/api/login', headers, body)
end
