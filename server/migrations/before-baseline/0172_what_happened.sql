-- Opened is only who asked to open the document and fetched it; and the zone in which they count their days.
alter table signing_recipients
  add column open_asked_at timestamptz,
  add column fetched_at    timestamptz,
  add column time_zone     text;
