-- Decides whether a call may go. The ticket of a probe is the one that was sent, so that a client that repeats the command
-- because it got no reply gets the same probe; that of any other call is the time. A tenant whose probe failed waits
-- twice as long as the others, so that the next probe is another tenant's; not where its own calls are all that failed.
--
-- KEYS[1], ARGV[1] to ARGV[3] as in breaker.lua.
-- ARGV[4]  string   ticket for a probe
-- ARGV[5]  integer  milliseconds after which a probe without a verdict is given up
-- ARGV[6]  string   the call's tenant
--
-- Returns {1, whether it is the probe: 0 | 1, ticket} or {0, reason, milliseconds until the next call may go}.
--- @include breaker.lua
local ticket, limit, tenant = ARGV[4], tonumber(ARGV[5]), ARGV[6]
local limited_until = is.limited_until or 0
local concerns = is.reason and (not is.of or is.of == tenant)
local shut_until = concerns and is.open_until or 0
if concerns and not is.of and is.probed_by == tenant then
  shut_until = shut_until + is.open_ms
end
shut_until = math.max(shut_until, limited_until)
if now < shut_until then return {0, concerns and is.reason or 'rate_limited', shut_until - now} end
if not concerns then return {1, 0, tostring(now)} end
if is.probe and is.probe ~= ticket and now < is.probe_until then
  return {0, is.reason, is.probe_until - now}
end
is.probe, is.probe_until = ticket, now + limit
save()
return {1, 1, ticket}
