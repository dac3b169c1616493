-- For the health checks of HAProxy and of the nodes: this user may log in and read the status, nothing else.
CREATE USER IF NOT EXISTS haproxy@'%';
