-- What is transcribed already of a long recording: a crash or a failing engine continues with the next piece. Deleted when
-- the file is completed.
create table transcript_pieces (
  file_id   uuid not null references files (id) on delete cascade,
  -- The bytes of the file that the piece holds, both part of the key: other limits cut it elsewhere.
  starts_at bigint not null,
  ends_at   bigint not null,
  engine    text not null,
  text      text not null,
  primary key (file_id, starts_at, ends_at, engine)
);
