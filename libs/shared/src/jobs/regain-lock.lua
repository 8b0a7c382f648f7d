-- Sets the expired lock of a job again, unless another worker has taken the job since.
--
-- KEYS[1]  hash     the job; BullMQ counts in its field `ats` how often it was taken
-- KEYS[2]  string   the job's lock
-- KEYS[3]  list     the queue's active jobs
-- KEYS[4]  set      active jobs that BullMQ's next check takes for stalled unless their lock is renewed
-- ARGV[1]  string   the job's id
-- ARGV[2]  string   the lock's token
-- ARGV[3]  integer  how often the job had been taken when the worker took it
-- ARGV[4]  integer  milliseconds for which the lock is held
--
-- Returns 1 if the worker holds the lock, 0 if the job was taken from it.
local holder = redis.call('GET', KEYS[2])
if holder then return holder == ARGV[2] and 1 or 0 end
if redis.call('HGET', KEYS[1], 'ats') ~= ARGV[3] or not redis.call('LPOS', KEYS[3], ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
redis.call('SREM', KEYS[4], ARGV[1])
return 1
