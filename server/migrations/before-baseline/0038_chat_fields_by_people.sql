-- Whether a person chose the title and the tags: generated ones never replace those.
alter table chats
  add column has_own_title boolean not null default false,
  add column has_own_tags boolean not null default false;
