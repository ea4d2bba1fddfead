-- Facts about a person, used in their own completions only.
create table memories (
  id         uuid primary key,
  user_id    uuid not null references users (id) on delete cascade,
  content    text not null,
  source     text not null check (source in ('person', 'model')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index memories_once on memories (user_id, md5(lower(content)));
create index memories_by_person on memories (user_id, updated_at desc);

-- A row only for people who switched it off.
create table memory_switches (
  user_id uuid primary key references users (id) on delete cascade,
  enabled boolean not null
);
