-- Records that a call has failed, and opens the breaker if that is one too many.
--
-- KEYS[1], ARGV[1] to ARGV[3] as in breaker.lua.
-- ARGV[4]  string   ticket
-- ARGV[5]  string   kind: unavailable | misconfigured | rate_limited
-- ARGV[6]  string   the call's run
-- ARGV[7]  string   the call's tenant
-- ARGV[8]  integer  milliseconds for which the breaker opens, or the rate limit holds
-- ARGV[9]  integer  the longest time in milliseconds for which it opens
-- ARGV[10] integer  failed calls that open it
-- ARGV[11] integer  runs that these belong to, at least
-- ARGV[12] integer  how many of them, at least, are of other tenants than the one with the most, to open it for all
-- ARGV[13] integer  milliseconds within which they failed
--
-- Returns nothing.
--- @include breaker.lua
local MOST_KEPT = 40
local ticket, kind, run, tenant = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local ms, longest = tonumber(ARGV[8]), tonumber(ARGV[9])
local calls, runs, others, window = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])

local function open(for_ms)
  is.reason, is.since = kind, is.since or now
  is.open_ms, is.open_until = for_ms, now + for_ms
end
local function note_failure()
  local kept = {{now, kind, run, tenant}}
  for _, failure in ipairs(is.failures or {}) do
    if #kept < MOST_KEPT then table.insert(kept, failure) end
  end
  is.failures = kept
end
-- Recent failures of this kind that a test lets pass: calls, their runs, and the most calls of any one tenant.
local function count(passes)
  local total, distinct, most, seen, of_tenant = 0, 0, 0, {}, {}
  for _, failure in ipairs(is.failures) do
    local at, of_kind, of_run, whose = unpack(failure)
    if at > now - window and of_kind == kind and passes(whose) then
      total = total + 1
      if not seen[of_run] then seen[of_run], distinct = true, distinct + 1 end
      of_tenant[whose] = (of_tenant[whose] or 0) + 1
      most = math.max(most, of_tenant[whose])
    end
  end
  return total, distinct, most
end
local function opens_for_all()
  -- Another tenant's failures join those for which it is open already.
  if is.of and is.reason == kind then
    return count(function(whose) return whose ~= is.of end) >= others
  end
  local total, distinct, most = count(function() return true end)
  return total >= calls and distinct >= runs and total - most >= others
end
local function opens_for_tenant()
  local total, distinct = count(function(whose) return whose == tenant end)
  return not is.of and total >= calls and distinct >= runs
end

local probed, began = is.probe == ticket, tonumber(ticket)
if probed then is.probe, is.probe_until = nil, nil end
if kind == 'rate_limited' then
  if now >= (is.limited_until or 0) then is.limited_since = now end
  is.limited_until = math.max(is.limited_until or 0, now + ms)
elseif probed then
  is.probed_by = tenant
  open(math.max(ms, math.min(2 * is.open_ms, longest)))
elseif not began or began < (is.closed_at or 0) or (is.reason and (not is.of or is.of == tenant)) then
  return
else
  note_failure()
  if opens_for_all() then
    is.of, is.failures = nil, nil
    open(ms)
  elseif opens_for_tenant() then
    is.of = tenant
    open(ms)
  end
end
save()
