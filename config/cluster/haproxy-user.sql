-- HAProxy and the nodes' own health check log in with it to ask for the node's state. It may do nothing.
CREATE USER IF NOT EXISTS haproxy@'%';
