-- Records that a call has succeeded.
--
-- KEYS[1], ARGV[1] to ARGV[3] as in breaker.lua.
-- ARGV[4]  string   ticket
-- ARGV[5]  string   the call's tenant
--
-- Returns nothing.
--- @include breaker.lua
local ticket, tenant = ARGV[4], ARGV[5]
if is.probe == ticket or (is.of and is.of ~= tenant) then
  close()
elseif is.failures and not is.reason then
  is.failures = nil
  save()
end
