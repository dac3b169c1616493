-- For wrk: reports with ids that are never used twice. Arguments: records in a report (0: a lone record), name of the run.
local batch, run, said
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)')
dofile(folder .. 'counted.lua')

function init(args)
  batch, run, said = tonumber(args[1]), args[2], 0
end

local function record()
  said = said + 1
  return string.format(
    '{"server_id":%d,"chat_id":"%s-%d","account":"player%d","role_id":%d,"role_name":"屠龙少年%d","channel":"world","content":"出售裁决之杖 +7,诚心价,非诚勿扰 👋 meet me at the gate","time":%d}',
    said % 20 + 1, run, said, said % 50000, said % 80000 + 1, said % 80000, os.time())
end

function request()
  local body
  if batch == 0 then
    body = record()
  else
    local records = {}
    for place = 1, batch do records[place] = record() end
    body = '{"records":[' .. table.concat(records, ',') .. ']}'
  end
  return wrk.format('POST', '/api/report/chat', { ['Content-Type'] = 'application/json' }, body)
end
