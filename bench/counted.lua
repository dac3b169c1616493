-- For wrk: what a run came to, on one line that the bench reads. Times are microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'COUNTED {"requests":%d,"errors":%d,"microseconds":%d,"p50":%d,"p99":%d}\n',
    summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
