/**
 * A breaker is one JSON value that expires when no call uses it; a closed one without failures needs none. Times are
 * milliseconds of Redis' own clock.
 *
 * - `reason`, `since`, `open_ms`, `open_until`: there while it is open or half open;
 * - `of`: the tenant whose calls alone failed, and to whom alone it is open; absent where several tenants' calls did;
 * - `probe`, `probe_until`: the ticket of the probe under way; `probed_by`: the tenant whose probe failed last;
 * - `failures`: the last failed calls since a success, newest first, each {time, kind, run, tenant};
 * - `closed_at`: what began before is out of date;
 * - `limited_since`, `limited_until`: a rate limit stands beside all this and passes with time alone.
 *
 * Every script takes
 *
 *     KEYS[1] the breaker
 *     ARGV[1] milliseconds for which failures and a closing are remembered
 *     ARGV[2] milliseconds for which a wrong configuration is remembered
 *     ARGV[3] milliseconds without a call after which a half-open breaker is closed
 *     ARGV[4…] what its own header lists
 */
const preludeLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
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
`;

/**
 * The ticket of a probe is the one that was brought, so that a client that repeats the call because a reply was lost
 * gets the same probe; that of any other call is the time. A tenant whose probe failed waits twice as long as the others,
 * so that the next probe is another tenant's; not where its own calls are all that failed.
 *
 *     ARGV[4] ticket for a probe
 *     ARGV[5] time limit of a probe in milliseconds
 *     ARGV[6] the call's tenant
 *
 * Returns {1, is it the probe: 0 | 1, ticket} or {0, reason, milliseconds until the next call may go}.
 */
export const admitLua = `${preludeLua}
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
return {1, 1, ticket}`;

/**
 * Returns nothing.
 *
 *     ARGV[4] ticket
 *     ARGV[5] the call's tenant
 */
export const succeededLua = `${preludeLua}
local ticket, tenant = ARGV[4], ARGV[5]
if is.probe == ticket or (is.of and is.of ~= tenant) then
  close()
elseif is.failures and not is.reason then
  is.failures = nil
  save()
end`;

/**
 * Returns nothing.
 *
 *     ARGV[4]  ticket
 *     ARGV[5]  kind: unavailable | misconfigured | rate_limited
 *     ARGV[6]  the call's run
 *     ARGV[7]  the call's tenant
 *     ARGV[8]  milliseconds for which the breaker opens, or the limit holds
 *     ARGV[9]  the longest time in milliseconds for which it opens
 *     ARGV[10] failed calls that open it
 *     ARGV[11] runs that these belong to, at least
 *     ARGV[12] how many of them, at least, are of other tenants than the one with the most, to open it for all
 *     ARGV[13] milliseconds within which they failed
 */
export const failedLua = `${preludeLua}
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
save()`;

/**
 * Returns nothing.
 *
 *     ARGV[4] ticket
 */
export const abandonedLua = `${preludeLua}
if is.probe == ARGV[4] then
  is.probe, is.probe_until = nil, nil
  save()
end`;

/** Returns {'closed'}, {'half_open', reason, since} or {'open', reason, since, when the next call may go}. */
export const stateLua = `${preludeLua}
local since = is.since or is.limited_since
local shut_until = math.max(is.open_until or 0, is.limited_until or 0)
if now < shut_until then return {'open', is.reason or 'rate_limited', since, shut_until} end
if is.reason then return {'half_open', is.reason, since} end
return {'closed'}`;
