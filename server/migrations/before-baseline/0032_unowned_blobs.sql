-- Blobs that no row of a module owns: uploads under way, what an abort or a crash left behind, and what was released for
-- deletion. A claim deletes the row in the module's own transaction; what is still here when its time comes is swept.
create table unowned_blobs (
  key          text primary key,
  is_discarded boolean not null default false,
  sweep_after  timestamptz not null
);
create index unowned_blobs_due on unowned_blobs (sweep_after);
