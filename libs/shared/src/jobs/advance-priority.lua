-- Makes the priority of a job that is started the current one, unless that is higher already.
--
-- KEYS[1]  string   the current priority
-- ARGV[1]  integer  the job's priority
-- ARGV[2]  integer  seconds for which the key is kept
--
-- Returns nothing.
if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
end
