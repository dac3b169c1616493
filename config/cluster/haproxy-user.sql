-- The health checks of HAProxy and of the nodes use this user, which may only log in and read the status.
CREATE USER IF NOT EXISTS haproxy@'%';
