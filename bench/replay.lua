-- This wrk script replays the requests of a file in a loop. Its arguments are the file, in which
-- NUL separates the requests, and the number of requests sent in earlier rounds, so that it
-- continues where the last round ended.
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
