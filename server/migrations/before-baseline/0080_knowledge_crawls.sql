-- Crawls of a site into a collection. Their pages are the queue: a crawl that was cut off continues with those that wait.
create table knowledge_crawls (
  id uuid primary key,
  collection_id uuid not null references knowledge_collections (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  url text not null,
  max_depth integer not null,
  max_pages integer not null,
  state text not null check (state in ('running', 'completed', 'failed', 'cancelled')),
  error text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index knowledge_crawls_running on knowledge_crawls (collection_id) where state = 'running';
create index knowledge_crawls_collection on knowledge_crawls (collection_id, created_at desc);
create index knowledge_crawls_user on knowledge_crawls (user_id);

create table knowledge_crawl_pages (
  crawl_id uuid not null references knowledge_crawls (id) on delete cascade,
  url text not null,
  depth integer not null,
  position bigint generated always as identity,
  state text not null default 'waiting' check (state in ('waiting', 'added', 'skipped', 'failed')),
  reason text,
  primary key (crawl_id, url)
);
create index knowledge_crawl_pages_waiting on knowledge_crawl_pages (crawl_id, position) where state = 'waiting';
