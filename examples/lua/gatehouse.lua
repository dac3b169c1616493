-- This client for Gatehouse needs the packages luasocket, luaossl and lua-cjson.
local digest = require 'openssl.digest'
local hmac = require 'openssl.hmac'
local http = require 'socket.http'
local json = require 'cjson'
local ltn12 = require 'ltn12'
local mime = require 'mime'
local url = require 'socket.url'

local MAX_CLOCK_DIFFERENCE = 300
http.TIMEOUT = 5

local Gatehouse = {}
Gatehouse.__index = Gatehouse

-- The options are url, callback_secret, gm_secret and event_secret.
function Gatehouse.new(options)
  return setmetatable(options, Gatehouse)
end

local function hex(bytes)
  return (bytes:gsub('.', function(byte) return ('%02x'):format(byte:byte()) end))
end

local function hmac_sha256(secret, text)
  return hmac.new(secret, 'sha256'):final(text)
end

-- Compares in constant time, so that the duration does not reveal how much of a guess is right.
local function equal(given, expected)
  if #given ~= #expected then return false end
  local difference = 0
  for i = 1, #given do difference = difference | (given:byte(i) ~ expected:byte(i)) end
  return difference == 0
end

local function is_fresh(timestamp, now)
  local time = timestamp and timestamp:match('^%d+$') and tonumber(timestamp)
  return time and math.abs(time - now) <= MAX_CLOCK_DIFFERENCE
end

-- Signs the path and the body exactly as they are sent.
function Gatehouse:sign(timestamp, method, path, body)
  local body_hash = hex(digest.new('sha256'):final(body))
  return hex(hmac_sha256(self.callback_secret, table.concat({ timestamp, method, path, body_hash }, '\n')))
end

-- Returns the response's data, or nil and the name of the error. Repeat the call after 'no_answer' or a 5xx status.
function Gatehouse:call(method, path, body)
  local text = body and json.encode(body) or ''
  local timestamp = tostring(os.time())
  local parts = {}
  local _, status = http.request {
    method = method,
    url = self.url .. path,
    source = ltn12.source.string(text),
    sink = ltn12.sink.table(parts),
    headers = {
      ['Content-Type'] = body and 'application/json' or nil,
      ['Content-Length'] = tostring(#text),
      ['X-Timestamp'] = timestamp,
      ['X-Signature'] = self:sign(timestamp, method, path, text),
    },
  }
  local is_json, answer = pcall(json.decode, table.concat(parts))
  if not is_json or type(answer) ~= 'table' then return nil, 'no_answer' end
  if status == 200 then return answer.data end
  return nil, answer.error
end

-- Returns the account in its correct spelling, or nil and an error such as 'token_invalid' or 'account_disabled'.
function Gatehouse:check(account, token)
  local data, problem = self:call('POST', '/api/check', { account = account, token = token })
  return data and data.account, problem
end

function Gatehouse:link(connect_id)
  local data, problem = self:call('GET', '/api/link?connect_id=' .. url.escape(connect_id))
  return data and data.account, problem
end

function Gatehouse:bind(account, connect_id)
  local body = { account = account, connect_id = connect_id }
  local data, problem = self:call('POST', '/api/bind_account', body)
  return data and data.account, problem
end

-- Reports up to 500 records with server_id, chat_id, account, role_id, role_name, channel, content and time.
function Gatehouse:chat(records)
  return self:call('POST', '/api/report/chat', { records = records })
end

-- Returns the fields of a GM command, or nil if its signature or time is wrong.
function Gatehouse:verify_command(form, now)
  local fields, names = {}, {}
  for name, value in form:gmatch('([^&=]+)=([^&]*)') do
    fields[name] = url.unescape((value:gsub('%+', ' ')))
    if name ~= 'sign' then names[#names + 1] = name end
  end
  table.sort(names)
  local pairs_to_sign = {}
  for i, name in ipairs(names) do pairs_to_sign[i] = name .. '=' .. fields[name] end
  local expected = hex(hmac_sha256(self.gm_secret, table.concat(pairs_to_sign, '&')))
  local is_valid = equal(fields.sign or '', expected) and is_fresh(fields.time, now or os.time())
  return is_valid and fields or nil
end

-- Verifies an event by the headers webhook-id, webhook-timestamp and webhook-signature.
function Gatehouse:verify_event(id, timestamp, signatures, body, now)
  if not id or not signatures or not is_fresh(timestamp, now or os.time()) then return false end
  local key = mime.unb64((self.event_secret:gsub('^whsec_', '')))
  local expected = 'v1,' .. mime.b64(hmac_sha256(key, id .. '.' .. timestamp .. '.' .. body))
  local is_valid = false
  for signature in signatures:gmatch('%S+') do
    if equal(signature, expected) then is_valid = true end
  end
  return is_valid
end

return Gatehouse
