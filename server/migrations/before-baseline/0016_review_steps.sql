-- Who submitted a workflow for review, or handed it back, and when. With the notes, and gone with them.

alter table workflows
  add column review_by_id   uuid,
  add column review_by_name text,
  add column reviewed_at    timestamptz;
