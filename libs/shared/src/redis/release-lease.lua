-- Releases a lease if the caller still owns it.
--
-- KEYS[1]  string  the lease; its value is its owner
-- ARGV[1]  string  owner
--
-- Returns 1 if it was released, otherwise 0.
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
