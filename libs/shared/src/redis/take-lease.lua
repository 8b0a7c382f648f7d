-- Takes a lease, or renews one.
--
-- KEYS[1]  string   the lease; its value is its owner
-- KEYS[2]  string   optional; the last owner, kept for longer than the lease
-- ARGV[1]  string   owner
-- ARGV[2]  integer  milliseconds after which the lease expires
-- ARGV[3]  integer  milliseconds for which the last owner is kept
-- ARGV[4]  string   `acquire`, or `renew`: an expired lease is renewed unless another owner has had it since
--
-- Returns 1, or 0 if the lease is another owner's.
local decides = ARGV[4] == 'renew' and KEYS[2] or KEYS[1]
local owner = redis.call('GET', decides)
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if KEYS[2] then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3]) end
return 1
