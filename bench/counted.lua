-- This wrk script prints the result as one line of JSON for drive.mjs. Times are in microseconds.
local threads = {}

function setup(thread) threads[#threads + 1] = thread end

-- Counts every status but the expected one as an error. By default, wrk counts only statuses above
-- 399.
function expect(status)
  expected, unexpected = status, 0
  function response(actual)
    if actual ~= expected then unexpected = unexpected + 1 end
  end
end

function done(summary, latency)
  local errors = summary.errors
  local wrongStatus = errors.status
  if threads[1]:get('expected') then
    wrongStatus = 0
    for _, thread in ipairs(threads) do wrongStatus = wrongStatus + thread:get('unexpected') end
  end
  io.write(string.format(
    'COUNTED {"requests":%d,"errors":%d,"microseconds":%d,"p50":%d,"p99":%d}\n',
    summary.requests,
    errors.connect + errors.read + errors.write + errors.timeout + wrongStatus,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
