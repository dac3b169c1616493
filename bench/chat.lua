-- This wrk script sends chat reports with unique ids. Its arguments are the number of records per
-- report (0 sends a single record without a list) and the name of the run.
local batch, run, sent
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)')
dofile(folder .. 'counted.lua')

function init(args)
  batch, run, sent = tonumber(args[1]), args[2], 0
end

local function record()
  sent = sent + 1
  return string.format(
    '{"server_id":%d,"chat_id":"%s-%d","account":"player%d","role_id":%d,"role_name":"屠龙少年%d","channel":"world","content":"出售裁决之杖 +7,诚心价,非诚勿扰 👋 meet me at the gate","time":%d}',
    sent % 20 + 1, run, sent, sent % 50000, sent % 80000 + 1, sent % 80000, os.time())
end

function request()
  local body
  if batch == 0 then
    body = record()
  else
    local records = {}
    for index = 1, batch do records[index] = record() end
    body = '{"records":[' .. table.concat(records, ',') .. ']}'
  end
  return wrk.format('POST', '/api/report/chat', { ['Content-Type'] = 'application/json' }, body)
end
