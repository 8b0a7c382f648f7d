-- Sets `now` to the milliseconds of Redis' own clock, which all processes share.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
