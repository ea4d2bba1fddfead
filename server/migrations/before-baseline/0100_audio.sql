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
