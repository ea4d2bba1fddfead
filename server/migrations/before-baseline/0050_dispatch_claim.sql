-- One row that a dispatch locks until its transaction ends, so that one dispatch runs at a time across all nodes. Other
-- nodes skip it instead of waiting for it, and PostgreSQL itself ends the transaction of a node that stopped responding.
create table dispatch_claim (
  id boolean primary key default true check (id)
);
insert into dispatch_claim default values;
