-- Plugins: code that an administrator adds, what it says about itself, its settings and its log.

create table plugins (
  id            text primary key,
  kind          text not null check (kind in ('tool', 'filter', 'pipe', 'action')),
  name          text not null,
  description   text not null,
  source        text not null,
  -- Read from the source when it was saved: tools, models, filter methods, schemas of settings.
  spec          jsonb not null,
  manifest      jsonb not null default '{}',
  sealed_valves text,
  is_active     boolean not null,
  is_global     boolean not null default false,
  -- False: open to every signed-in user. True: to administrators and whom access_grants names.
  is_restricted boolean not null default false,
  owner_kind    text not null check (owner_kind in ('user', 'admin')),
  owner_id      uuid not null,
  -- Rises with every change, so that no process runs an old one.
  version       integer not null default 1,
  created_at    timestamptz not null,
  updated_at    timestamptz not null
);

create table plugin_user_valves (
  plugin_id  text not null references plugins (id) on delete cascade,
  user_id    uuid not null references users (id) on delete cascade,
  sealed     text not null,
  updated_at timestamptz not null,
  primary key (plugin_id, user_id)
);

-- For the author; only the newest lines of each plugin are kept.
create table plugin_logs (
  id        bigint generated always as identity primary key,
  plugin_id text not null references plugins (id) on delete cascade,
  at        timestamptz not null,
  level     text not null check (level in ('debug', 'info', 'warn', 'error')),
  text      text not null
);
create index plugin_logs_newest on plugin_logs (plugin_id, id desc);

-- Counts every change to plugins and tool servers: a node that missed a signal sees it here.
create table plugin_changes (
  only_row boolean primary key default true check (only_row),
  number   bigint not null
);
insert into plugin_changes (number) values (0);
