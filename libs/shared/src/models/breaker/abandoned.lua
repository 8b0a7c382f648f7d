-- Records that a call has ended without a verdict: if it was the probe, another may go.
--
-- KEYS[1], ARGV[1] to ARGV[3] as in breaker.lua.
-- ARGV[4]  string   ticket
--
-- Returns nothing.
--- @include breaker.lua
if is.probe == ARGV[4] then
  is.probe, is.probe_until = nil, nil
  save()
end
