/**
 * A breaker is one JSON value that expires when nobody uses it; a closed one without failures needs none. Times are
 * milliseconds of Redis' own clock.
 *
 * - `reason`, `since`, `open_ms`, `open_until`: there while it is open or half open;
 * - `probe`, `probe_until`: the ticket of the probe under way;
 * - `failures`: when the last calls failed, while it is closed; `closed_at`: what began before is out of date;
 * - `limited_since`, `limited_until`: a rate limit stands beside all this and passes with time alone.
 *
 * KEYS[1] the breaker; ARGV: memory in ms, memory in ms of a wrong configuration, then what each script needs.
 */
const preludeLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is = cjson.decode(redis.call('GET', KEYS[1]) or '{}')
local shut_until = math.max(is.open_until or 0, is.limited_until or 0)
local function save()
  local memory = is.reason == 'misconfigured' and ARGV[2] or ARGV[1]
  redis.call('SET', KEYS[1], cjson.encode(is), 'PX', memory)
end
`;

/**
 * ARGV: ticket, time limit of a probe. The ticket of a probe is the one that was brought, so that a client that repeats
 * the call because a reply was lost gets the same probe; that of any other call is the time.
 */
export const admitLua = `${preludeLua}
local ticket, limit = ARGV[3], tonumber(ARGV[4])
if now < shut_until then return {0, is.reason or 'rate_limited', shut_until - now} end
if not is.reason then return {1, 0, tostring(now)} end
if is.probe and is.probe ~= ticket and now < is.probe_until then
  return {0, is.reason, is.probe_until - now}
end
is.probe, is.probe_until = ticket, now + limit
save()
return {1, 1, ticket}`;

/** ARGV: ticket. */
export const succeededLua = `${preludeLua}
if is.probe == ARGV[3] then
  is = {closed_at = now, limited_since = is.limited_since, limited_until = is.limited_until}
  save()
elseif is.failures then
  is.failures = nil
  save()
end`;

/** ARGV: ticket, kind, its time, longest time, failures that open, their window. */
export const failedLua = `${preludeLua}
local ticket, kind, ms, longest = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local enough, window = tonumber(ARGV[7]), tonumber(ARGV[8])
local function open(for_ms)
  is.reason, is.since, is.failures = kind, is.since or now, nil
  is.open_ms, is.open_until = for_ms, now + for_ms
end
local probed, began = is.probe == ticket, tonumber(ticket)
if probed then is.probe, is.probe_until = nil, nil end
if kind == 'rate_limited' then
  if now >= (is.limited_until or 0) then is.limited_since = now end
  is.limited_until = math.max(is.limited_until or 0, now + ms)
elseif probed then
  open(math.max(ms, math.min(2 * is.open_ms, longest)))
elseif is.reason or not began or began < (is.closed_at or 0) then
  return
elseif kind == 'misconfigured' then
  open(ms)
else
  local recent = {now}
  for _, at in ipairs(is.failures or {}) do
    if at > now - window then table.insert(recent, at) end
  end
  is.failures = recent
  if #recent >= enough then open(ms) end
end
save()`;

/** ARGV: ticket. */
export const abandonedLua = `${preludeLua}
if is.probe == ARGV[3] then
  is.probe, is.probe_until = nil, nil
  save()
end`;

/** Answers state, reason, since, retry at. */
export const stateLua = `${preludeLua}
local since = is.since or is.limited_since
if now < shut_until then return {'open', is.reason or 'rate_limited', since, shut_until} end
if is.reason then return {'half_open', is.reason, since} end
return {'closed'}`;
