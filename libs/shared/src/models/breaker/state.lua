-- KEYS[1], ARGV[1] to ARGV[3] as in breaker.lua.
--
-- Returns {'closed'}, {'half_open', reason, since} or {'open', reason, since, when the next call may go}.
--- @include breaker.lua
local since = is.since or is.limited_since
local shut_until = math.max(is.open_until or 0, is.limited_until or 0)
if now < shut_until then return {'open', is.reason or 'rate_limited', since, shut_until} end
if is.reason then return {'half_open', is.reason, since} end
return {'closed'}
