-- Sets the expired lock of a job again, unless another worker has taken the job since.
--
-- KEYS[1]  hash     the job
-- KEYS[2]  string   its lock
-- KEYS[3]  list     `active`
-- KEYS[4]  set      `stalled`: jobs that BullMQ's next check moves to `wait` if they have no lock
-- ARGV[1]  string   the job's id
-- ARGV[2]  string   the lock's token
-- ARGV[3]  integer  how often the job had been taken when this worker took it
-- ARGV[4]  integer  milliseconds for which the lock is held
--
-- Returns 1 if the worker holds the lock, 0 if the job was taken from it.
local holder = redis.call('GET', KEYS[2])
if holder then return holder == ARGV[2] and 1 or 0 end
if redis.call('HGET', KEYS[1], 'ats') ~= ARGV[3] or not redis.call('LPOS', KEYS[3], ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
redis.call('SREM', KEYS[4], ARGV[1])
return 1
