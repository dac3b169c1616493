-- wrk script: replays the requests of a file in a loop. Arguments: the file, with requests separated by NUL, and the
-- number of requests sent in earlier rounds, to continue where they ended.
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
