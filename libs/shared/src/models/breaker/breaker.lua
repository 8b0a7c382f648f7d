-- A breaker is one JSON value that expires when no call uses it; a closed one without failures needs none. Times are
-- milliseconds of Redis' own clock.
--
--   reason, since, open_ms, open_until  present while it is open or half open
--   of            the tenant whose calls alone failed, and to whom alone it is open; absent where several tenants' did
--   probe, probe_until  the ticket of the probe under way
--   probed_by     the tenant whose probe failed last
--   failures      the last failed calls since a success, newest first, each {time, kind, run, tenant}
--   closed_at     calls that began before are out of date
--   limited_since, limited_until  a rate limit: independent of all the above, it passes with time alone
--
-- Every script takes
--
-- KEYS[1]  string   the breaker
-- ARGV[1]  integer  milliseconds for which failures and a closing are remembered
-- ARGV[2]  integer  milliseconds for which a wrong configuration is remembered
-- ARGV[3]  integer  milliseconds without a call after which a half-open breaker is closed
--- @include <now.lua>
local is = cjson.decode(redis.call('GET', KEYS[1]) or '{}')
local function last_mark()
  return math.max(now, is.open_until or 0, is.probe_until or 0, is.limited_until or 0)
end
local function memory()
  if is.reason == 'misconfigured' then return ARGV[2] end
  if is.reason then return last_mark() - now + ARGV[3] end
  for _, failure in ipairs(is.failures or {}) do
    if failure[2] == 'misconfigured' then return ARGV[2] end
  end
  return ARGV[1]
end
local function save()
  redis.call('SET', KEYS[1], cjson.encode(is), 'PX', string.format('%d', memory()))
end
local function close()
  is = {closed_at = now, limited_since = is.limited_since, limited_until = is.limited_until}
  save()
end
