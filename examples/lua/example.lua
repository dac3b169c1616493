-- This program runs a small game server. Start it with `lua5.4 example.lua listen 8080`.
package.path = arg[0]:match('^(.-)[^/]*$') .. '?.lua;' .. package.path
local Gatehouse = require 'gatehouse'
local json = require 'cjson'
local socket = require 'socket'

local gatehouse = Gatehouse.new {
  url = os.getenv 'GATEHOUSE' or 'http://127.0.0.1:3001',
  callback_secret = os.getenv 'GAME_CALLBACK_SECRET' or '',
  gm_secret = os.getenv 'GM_SECRET' or '',
  event_secret = os.getenv 'EVENT_SECRET' or '',
}

-- A real game server keeps balances and orders in its database, and changes them in one transaction.
local balances = {}
local orders = {}

local function deduct(command)
  -- A repeated order gets the first response again, because that response may have been lost.
  if orders[command.order_no] then return orders[command.order_no] end
  local balance = balances[command.role_id] or 100000
  local amount = math.tointeger(tonumber(command.amount))
  local answer = { code = 1, message = 'too little' }
  if amount and amount > 0 and amount <= balance then
    balances[command.role_id] = balance - amount
    answer = { code = 0, order_no = command.order_no }
  end
  orders[command.order_no] = answer
  return answer
end

local function answer_command(form)
  local command = gatehouse:verify_command(form)
  if not command then return { code = -1, message = 'bad sign' } end
  if command.op == '10030' then return deduct(command) end
  if command.op == '10031' then
    local order = orders[command.order_no]
    return { code = 0, applied = order ~= nil and order.code == 0 }
  end
  return { code = -2, message = 'unknown op' }
end

local seen = {}

local function take_event(headers, body)
  local id = headers['webhook-id']
  local is_valid = gatehouse:verify_event(id, headers['webhook-timestamp'], headers['webhook-signature'], body)
  if not is_valid then return 401 end
  -- An event may arrive twice.
  if not seen[id] then print('event ' .. json.decode(body).type) end
  seen[id] = true
  return 204
end

local function serve(client)
  client:settimeout(5)
  local path = (client:receive() or ''):match('^POST (%S+)')
  local headers = {}
  for line in function() return client:receive() end do
    if line == '' then break end
    local name, value = line:match('^(.-):%s*(.-)%s*$')
    if name then headers[name:lower()] = value end
  end
  local length = tonumber(headers['content-length'] or '0')
  local body = length > 0 and client:receive(length) or ''
  local status, answer = 404, ''
  if path == '/gm' then status, answer = 200, json.encode(answer_command(body)) end
  if path == '/events' then status = take_event(headers, body) end
  client:send(('HTTP/1.1 %d OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s'):format(status, #answer, answer))
  client:close()
end

local commands = {
  check = function(account, token) return gatehouse:check(account, token) end,
  link = function(connect_id) return gatehouse:link(connect_id) end,
  bind = function(account, connect_id) return gatehouse:bind(account, connect_id) end,
  chat = function(server_id, account, content)
    local record = { server_id = math.tointeger(tonumber(server_id)), account = account, content = content }
    local data, problem = gatehouse:chat { record }
    return data and math.tointeger(data.accepted), problem
  end,
  listen = function(port)
    local server = assert(socket.bind('127.0.0.1', tonumber(port)))
    print('listening on ' .. port)
    io.stdout:setvbuf('line')
    io.stdout:flush()
    while true do
      local client = server:accept()
      if client then pcall(serve, client) end
    end
  end,
  -- Compares this client with the vectors that all clients and the service share.
  vectors = function(file)
    local wrong = 0
    local vectors = json.decode(assert(io.open(file)):read('a'))
    local function compare(vector, result, expected)
      if result ~= expected then
        wrong = wrong + 1
        print('WRONG: ' .. vector.name)
      end
    end
    for _, v in ipairs(vectors.callbacks) do
      local client = Gatehouse.new { callback_secret = v.secret }
      compare(v, client:sign(v.timestamp, v.method, v.path, v.body), v.signature)
    end
    for _, v in ipairs(vectors.commands) do
      local fields = Gatehouse.new({ gm_secret = v.secret }):verify_command(v.body, v.now)
      compare(v, fields ~= nil, v.accepted)
      if fields then compare(v, fields.account or '', v.account) end
    end
    for _, v in ipairs(vectors.events) do
      local client = Gatehouse.new { event_secret = v.secret }
      compare(v, client:verify_event(v.id, v.timestamp, v.signature, v.body, v.now), v.accepted)
    end
    return wrong .. ' wrong'
  end,
}

local result, problem = commands[arg[1]](table.unpack(arg, 2))
print(result or problem)
