-- For wrk: sends the requests of a file over and over. Arguments: the file, in which a NUL ends each request.
local requests, place = {}, 0
local folder = debug.getinfo(1, 'S').source:match('^@(.*/)')
dofile(folder .. 'counted.lua')

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for request in file:read('*a'):gmatch('%Z+') do requests[#requests + 1] = request end
  file:close()
end

function request()
  place = place % #requests + 1
  return requests[place]
end
