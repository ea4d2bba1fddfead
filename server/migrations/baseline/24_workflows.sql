-- Workflows, their review, their versions, and what starts them.

create table spaces (
  id          uuid primary key,
  scope_id    uuid not null,
  name        text not null,
  description text not null default '',
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index spaces_scope on spaces (scope_id);

create table space_members (
  space_id uuid not null references spaces (id) on delete cascade,
  user_id  uuid not null references users (id) on delete cascade,
  primary key (space_id, user_id)
);

create table catalogs (
  id          uuid primary key,
  scope_id    uuid not null,
  name        text not null,
  description text not null default '',
  -- Without keys; those are sealed beside, by place in the list.
  entries     jsonb not null default '[]',
  sealed_keys jsonb not null default '[]',
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index catalogs_scope on catalogs (scope_id);

create table workflows (
  id                   uuid primary key,
  scope_id             uuid not null,
  name                 text not null,
  description          text not null default '',
  status               text not null default 'Draft' check (status in ('Draft', 'Staged', 'Published')),
  graph                jsonb not null,
  graph_hash           text not null,
  -- The last published snapshot. It stays where it is on a rollback.
  live_version_id      uuid,
  -- Whether that snapshot may be started: an edit leaves it so, a rollback ends it until the next publication.
  is_live              boolean not null default false,
  -- The last version number given out.
  last_version         integer not null default 0,
  space_id             uuid references spaces (id) on delete set null,
  author_id            uuid not null,
  author_name          text not null,
  review_notes         text,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  -- Who submitted a workflow for review, or handed it back, and when. With the notes, and gone with them.
  review_by_id         uuid,
  review_by_name       text,
  reviewed_at          timestamptz,
  -- Triggered runs act for the owner of the workflow: the organization, or the person who has none. An admin may name a
  -- member instead. Workflows from before keep acting for their author, and for the organization when the author
  -- leaves.
  run_as_user_id       uuid,
  run_as_name          text,
  -- The workflow that is started when a run of this one fails, and since when.
  error_workflow_id    uuid references workflows (id) on delete set null,
  error_workflow_since timestamptz,
  check (not is_live or live_version_id is not null)
);
create index workflows_scope on workflows (scope_id, updated_at desc);
create index workflows_error_workflow on workflows (error_workflow_id) where error_workflow_id is not null;
alter table workflow_run_hours add foreign key (workflow_id) references workflows (id) on delete cascade;

-- Graphs by their content: a thousand snapshots of an unchanged graph cost one row here.
create table workflow_graphs (
  workflow_id uuid not null references workflows (id) on delete cascade,
  hash        text not null,
  graph       jsonb not null,
  primary key (workflow_id, hash)
);

create table workflow_versions (
  id             uuid primary key,
  workflow_id    uuid not null references workflows (id) on delete cascade,
  version        integer not null,
  type           text not null check (type in ('Published', 'Manual')),
  graph_hash     text not null,
  author_id      uuid not null,
  author_name    text not null,
  notes          text not null default '',
  created_at     timestamptz not null,
  -- The version that a rollback restored, on the Manual version that saved the graph it replaced.
  rolled_back_to integer,
  unique (workflow_id, version),
  foreign key (workflow_id, graph_hash) references workflow_graphs (workflow_id, hash)
);
alter table workflows add foreign key (live_version_id) references workflow_versions (id) deferrable initially deferred;

-- A snapshot never changes, and goes only together with its workflow.
create function refuse_snapshot_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from workflows where id = old.workflow_id) then
    return old;
  end if;
  raise exception 'snapshots are immutable' using errcode = 'restrict_violation';
end $$;
create trigger workflow_versions_immutable before update or delete on workflow_versions
  for each row execute function refuse_snapshot_change();
create trigger workflow_graphs_immutable before update or delete on workflow_graphs
  for each row execute function refuse_snapshot_change();

create function refuse_snapshot_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'snapshots are immutable' using errcode = 'restrict_violation';
end $$;
create trigger workflow_versions_kept before truncate on workflow_versions
  for each statement execute function refuse_snapshot_truncate();
create trigger workflow_graphs_kept before truncate on workflow_graphs
  for each statement execute function refuse_snapshot_truncate();

-- Event subscriptions stand with the bus; these are the other two kinds.
create table cron_triggers (
  id          uuid primary key,
  workflow_id uuid not null references workflows (id) on delete cascade,
  scope_id    uuid not null,
  name        text not null,
  cron        text not null,
  timezone    text not null,
  input       jsonb,
  misfire     text not null default 'fire_once' check (misfire in ('fire_once', 'skip', 'fire_all')),
  catalog_id  uuid,
  space_id    uuid,
  enabled     boolean not null default true,
  -- Null while disabled.
  next_at     timestamptz,
  created_at  timestamptz not null
);
create index cron_triggers_due on cron_triggers (next_at) where next_at is not null;
create index cron_triggers_workflow on cron_triggers (workflow_id);

-- Each due time fires once, on however many nodes.
create table cron_fires (
  trigger_id uuid not null references cron_triggers (id) on delete cascade,
  due_at     timestamptz not null,
  run_id     uuid,
  fired_at   timestamptz not null,
  primary key (trigger_id, due_at)
);
-- What lets old rows go finds them from the oldest on, and passes over none twice.
create index cron_fires_due on cron_fires (due_at);

create table webhook_triggers (
  id                 uuid primary key,
  workflow_id        uuid not null references workflows (id) on delete cascade,
  scope_id           uuid not null,
  name               text not null,
  event_type         text not null,
  scheme             text not null default 'standard' check (scheme in ('standard', 'github', 'stripe', 'slack', 'hmac')),
  token_hash         bytea not null unique,
  -- For showing the address again; the token alone opens nothing without a signature.
  sealed_token       text not null,
  sealed_secret      text not null,
  sealed_old_secret  text,
  old_secret_ends_at timestamptz,
  -- The subscription by which the workflow hears its own webhook.
  subscription_id    uuid,
  catalog_id         uuid,
  space_id           uuid,
  enabled            boolean not null default true,
  created_at         timestamptz not null,
  -- Which header carries the signature of scheme hmac.
  signature_header   text,
  filter_expr        text,
  -- The payload is the body with the query and the headers beside it.
  has_request        boolean not null default false,
  -- How long a delivery waits for the run's output; null: it doesn't.
  answer_sec         integer
);
create index webhook_triggers_workflow on webhook_triggers (workflow_id);
-- A run started through a webhook's own subscription was started by the webhook. The link is looked up in each
-- dispatch.
create unique index webhook_triggers_subscription on webhook_triggers (subscription_id) where subscription_id is not null;

-- When the owner of a workflow was last told that its runs fail.
create table workflow_failure_mails (
  workflow_id uuid primary key references workflows (id) on delete cascade,
  sent_at     timestamptz not null
);

-- What HTTP requests of workflows sign in with, shared in a scope and used by id.
create table http_credentials (
  id               uuid primary key,
  scope_id         uuid not null,
  name             text not null,
  description      text not null default '',
  kind             text not null check (kind in ('bearer', 'basic', 'header', 'oauth2')),
  -- The origin of the only server that it is sent to.
  origin           text not null,
  -- What is not secret, by kind.
  fields           jsonb not null default '{}',
  sealed_secret    text not null,
  enabled          boolean not null default true,
  -- OAuth 2: the access token in use, when it ends, and until when somebody fetches another.
  sealed_token     text,
  token_ends_at    timestamptz,
  refreshing_until timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);
create index http_credentials_scope on http_credentials (scope_id);
