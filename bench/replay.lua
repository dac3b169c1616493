-- For wrk: sends the requests of a file over and over. Arguments: the file, in which a NUL ends each request, and how
-- many of them were sent before: a run goes on where the last one ended.
local requests, place = {}, 0
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)')
dofile(folder .. 'counted.lua')

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for request in file:read('*a'):gmatch('%Z+') do requests[#requests + 1] = request end
  file:close()
  place = tonumber(args[2])
end

function request()
  place = place % #requests + 1
  return requests[place]
end
