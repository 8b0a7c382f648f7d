-- Records the turn of a job that starts as the present one, unless a later one is.
--
-- KEYS[1]  string   the present turn
-- ARGV[1]  integer  the job's turn
-- ARGV[2]  integer  seconds for which the key is kept
--
-- Returns nothing.
if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
end
