-- What running calls are estimated to use, by account, so that nodes see each other's. A row lives until what the call
-- really used is written; those of a node that is gone lapse.
create table usage_reservations (
  id         uuid not null,
  account    text not null,
  node_id    uuid not null,
  tokens     bigint not null,
  expires_at timestamptz not null,
  primary key (account, id)
);
create index usage_reservations_node on usage_reservations (node_id);
