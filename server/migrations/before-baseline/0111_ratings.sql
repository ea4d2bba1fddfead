-- What people think of replies, for the report of administrators. The name, model and organization are those of the time
-- of the rating. A rating goes with its message.
create table message_ratings (
  chat_id         uuid not null,
  message_id      uuid not null,
  user_id         uuid not null references users (id) on delete cascade,
  user_name       text not null,
  organization_id uuid references organizations (id) on delete set null,
  model           text not null,
  is_good         boolean not null,
  reason          text not null,
  rated_at        timestamptz not null,
  primary key (chat_id, message_id),
  foreign key (chat_id, message_id) references chat_messages (chat_id, id) on delete cascade
);
create index message_ratings_latest on message_ratings (rated_at desc);
create index message_ratings_of_organization on message_ratings (organization_id, rated_at desc);
create index message_ratings_user on message_ratings (user_id);
