-- concurrently
-- Lists in the order in which they are shown, for each of the filters people use, and the indexes of searches.

insert into chat_search (chat_id, user_id, title, tags)
  select id, user_id, title, tags from chats on conflict do nothing;
-- A search reads what waits to be put into its index, whoever wrote it: 1 MB at most.
create index concurrently if not exists chat_search_title on chat_search
  using gin (trigrams(right(user_id::text, 8), title)) with (gin_pending_list_limit = 1024);
create index concurrently if not exists chat_search_tags on chat_search using gin (marked_tags(right(user_id::text, 8), tags));
create index concurrently if not exists chats_list on chats (user_id, archived, updated_at desc, id desc);
create index concurrently if not exists chats_pinned on chats (user_id, archived, updated_at desc, id desc) where pinned;
create index concurrently if not exists chats_shared on chats (user_id, updated_at desc, id desc) where share_id is not null;
create index concurrently if not exists chats_of_folder on chats (folder_id, archived, updated_at desc, id desc)
  where folder_id is not null;
create index concurrently if not exists chat_messages_words on chat_messages
  using gin (marked_words(right(user_id::text, 8), search)) with (gin_pending_list_limit = 1024)
  where done or role = 'user';
drop index concurrently if exists chats_folder;
drop index concurrently if exists chats_user;
drop index concurrently if exists chat_messages_search;

-- The console's audit log: by area, and by a part of an action or of somebody's name.
create index concurrently if not exists audit_log_area on audit_log (split_part(action, '.', 1), at desc, id desc);
create index concurrently if not exists audit_log_text on audit_log
  using gin (trigrams('', action || E'\n' || coalesce(actor_name, '')));
create index concurrently if not exists mail_outbox_text on mail_outbox using gin (trigrams('', recipient || E'\n' || subject));
create index concurrently if not exists users_text on users using gin (trigrams('', name || E'\n' || email));
create index concurrently if not exists files_text on files using gin (trigrams(right(owner_id::text, 8), name));

insert into signing_search (document_id, source_id, scope_id, content)
  select id, id, scope_id, title from signing_documents
  union all
  select r.document_id, r.id, d.scope_id, r.name || E'\n' || r.email
  from signing_recipients as r join signing_documents as d on d.id = r.document_id
  on conflict do nothing;
create index concurrently if not exists signing_search_text on signing_search using gin (trigrams(right(scope_id::text, 8), content));
create index concurrently if not exists signing_documents_owned on signing_documents (owner_id, kind, id desc) where deleted_at is null;
create index concurrently if not exists signing_documents_owned_updated on signing_documents (owner_id, kind, updated_at, id)
  where deleted_at is null;
create index concurrently if not exists signing_documents_state on signing_documents (scope_id, kind, state, id desc)
  where deleted_at is null;
create index concurrently if not exists signing_documents_in_folder on signing_documents (scope_id, kind, folder, id desc)
  where deleted_at is null and folder is not null;
create index concurrently if not exists signing_documents_titles on signing_documents (scope_id, kind, lower(title), id)
  where deleted_at is null;
