-- Counts a caller's request unless its limit is reached. A slice of time counts until all of it lies outside the
-- window, so that no window, wherever it begins, holds more requests than the limit.
--
-- KEYS[1]  hash of the caller's requests: number of a slice -> requests counted in it
-- ARGV[1]  integer  limit
-- ARGV[2]  integer  milliseconds of a slice
-- ARGV[3]  integer  slices of a window
--
-- Returns {counted (0 or 1), requests left, number of the present slice,
--          milliseconds until one more request is accepted, milliseconds until all of the limit is left again}.
--- @include <now.lua>
local limit, sliceMs, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) + 1
local present = math.floor(now / sliceMs)
local stored, slices, counted = redis.call('HGETALL', KEYS[1]), {}, 0
for i = 1, #stored, 2 do
  local slice, requests = tonumber(stored[i]), tonumber(stored[i + 1])
  if slice <= present - kept then
    redis.call('HDEL', KEYS[1], stored[i])
  else
    slices[#slices + 1] = {slice, requests}
    counted = counted + requests
  end
end
local accepted = counted < limit
if accepted then
  redis.call('HINCRBY', KEYS[1], present, 1)
  redis.call('PEXPIRE', KEYS[1], (kept + 1) * sliceMs)
  slices[#slices + 1] = {present, 1}
  counted = counted + 1
end
table.sort(slices, function(one, other) return one[1] < other[1] end)
local left, oneFree, allFree = counted, now, now
for _, slice in ipairs(slices) do
  allFree = (slice[1] + kept) * sliceMs
  if left >= limit then oneFree = allFree end
  left = left - slice[2]
end
return {accepted and 1 or 0, math.max(limit - counted, 0), present, oneFree - now, allFree - now}
