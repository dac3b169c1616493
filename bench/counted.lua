-- For wrk: what a run came to, on one line that the bench reads. Times are microseconds.
local threads = {}

function setup(thread) threads[#threads + 1] = thread end

-- Has every answer looked at for this status; left alone, wrk counts the statuses above 399 as errors.
function expect(status)
  expected, unexpected = status, 0
  function response(given)
    if given ~= expected then unexpected = unexpected + 1 end
  end
end

function done(summary, latency)
  local errors = summary.errors
  local refused = errors.status
  if threads[1]:get('expected') then
    refused = 0
    for _, thread in ipairs(threads) do refused = refused + thread:get('unexpected') end
  end
  io.write(string.format(
    'COUNTED {"requests":%d,"errors":%d,"microseconds":%d,"p50":%d,"p99":%d}\n',
    summary.requests,
    errors.connect + errors.read + errors.write + errors.timeout + refused,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
