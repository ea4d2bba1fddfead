-- A person's own choices for speech; a missing one is the administrator's.
create table audio_preferences (
  user_id    uuid primary key references users (id) on delete cascade,
  voice      text,
  tts_model  text,
  speed      real,
  language   text,
  updated_at timestamptz not null
);

-- Speech that was made already, so that the same words are not paid for twice. Per organization, so that how long a
-- reply takes tells nobody what others had read aloud.
create table speech_cache (
  hash         text primary key,
  blob_key     text not null,
  content_type text not null,
  bytes        bigint not null,
  sha256       text not null,
  used_at      timestamptz not null
);
create index speech_cache_used on speech_cache (used_at);

-- What is transcribed already of a long recording: a crash or a failing engine continues with the next piece. Deleted
-- when the file is completed.
create table transcript_pieces (
  file_id   uuid not null references files (id) on delete cascade,
  -- The bytes of the file that the piece holds, both part of the key: other limits cut it elsewhere.
  starts_at bigint not null,
  ends_at   bigint not null,
  engine    text not null,
  text      text not null,
  primary key (file_id, starts_at, ends_at, engine)
);
