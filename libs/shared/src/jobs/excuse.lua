-- Records that a lock of a job expired although its worker is alive.
--
-- KEYS[1]  hash    the job
-- ARGV[1]  string  the field that counts such locks
--
-- Returns nothing.
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBY', KEYS[1], ARGV[1], 1) end
