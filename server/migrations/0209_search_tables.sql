-- What searches look up, so that their cost grows with what they find. The next migration fills and indexes it.

-- Every three neighbouring characters of a text, in lower case, each behind a mark of whose it is: what a search for a
-- part of a text looks up. pg_trgm would need an extension, has no marks, and under the C locale it knows only ASCII
-- letters. The cost says that an index is to hold them: made while a query reads, they take more than all else.
create function trigrams(mark text, content text) returns text[] language sql immutable parallel safe cost 5000 return array(
  select mark || substr(folded, position, 3)
  from lower(left(content, 2000)) as folded, generate_series(1, length(folded) - 2) as position
);

-- The words of a message, each behind a mark of whose it is: looking up a word reads nothing of other people.
create function marked_words(mark text, words tsvector) returns tsvector language sql immutable parallel safe cost 5000 return
  array_to_tsvector(array(select mark || word from unnest(tsvector_to_array(words)) as word where octet_length(word) <= 2000));

-- What of `marked_words` a search looks up: all words, those of the last as beginnings.
create function marked_query(mark text, words text, last text) returns tsquery language sql immutable parallel safe return (
  select coalesce(string_agg('''' || replace(replace(mark || word, '\', '\\'), '''', '''''') || '''' || suffix, ' & '), '')::tsquery
  from (
    select unnest(tsvector_to_array(to_tsvector('simple', words))) as word, '' as suffix
    union all select unnest(tsvector_to_array(to_tsvector('simple', last))), ':*'
  ) as looked_up
);

create function marked_tags(mark text, tags text[]) returns text[] language sql immutable parallel safe cost 1000 return
  array(select mark || lower(tag) from unnest(tags) as tag);

-- What a chat is looked up by. Apart from the chat itself, whose row is written several times in every turn and each time
-- with all its indexes.
create table chat_search (
  chat_id uuid primary key references chats (id) on delete cascade,
  user_id uuid not null,
  title   text not null,
  tags    text[] not null
);
create function note_chat_search() returns trigger language plpgsql as $$
begin
  insert into chat_search (chat_id, user_id, title, tags) values (new.id, new.user_id, new.title, new.tags)
  on conflict (chat_id) do update set user_id = excluded.user_id, title = excluded.title, tags = excluded.tags;
  return null;
end $$;
create trigger chats_search_inserted after insert on chats for each row execute function note_chat_search();
create trigger chats_search_updated after update of user_id, title, tags on chats for each row
  when ((old.user_id, old.title, old.tags) is distinct from (new.user_id, new.title, new.tags))
  execute function note_chat_search();
-- A document is looked up by its title and by the names and addresses of its recipients: a row for each of them.
create table signing_search (
  document_id uuid not null references signing_documents (id) on delete cascade,
  -- The recipient's id; for the title the document's own.
  source_id   uuid not null,
  scope_id    uuid not null,
  content     text not null,
  primary key (document_id, source_id)
);
create function note_document_search() returns trigger language plpgsql as $$
begin
  insert into signing_search (document_id, source_id, scope_id, content) values (new.id, new.id, new.scope_id, new.title)
  on conflict (document_id, source_id) do update set content = excluded.content;
  update signing_search set scope_id = new.scope_id where document_id = new.id and scope_id <> new.scope_id;
  return null;
end $$;
create function note_recipient_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from signing_search where document_id = old.document_id and source_id = old.id;
    return null;
  end if;
  insert into signing_search (document_id, source_id, scope_id, content)
  select new.document_id, new.id, scope_id, new.name || E'\n' || new.email from signing_documents where id = new.document_id
  on conflict (document_id, source_id) do update set content = excluded.content;
  return null;
end $$;
create trigger signing_documents_search_inserted after insert on signing_documents
  for each row execute function note_document_search();
create trigger signing_documents_search_updated after update of title, scope_id on signing_documents for each row
  when ((old.title, old.scope_id) is distinct from (new.title, new.scope_id)) execute function note_document_search();
create trigger signing_recipients_search after insert or delete on signing_recipients
  for each row execute function note_recipient_search();
create trigger signing_recipients_search_updated after update of name, email on signing_recipients for each row
  when ((old.name, old.email) is distinct from (new.name, new.email)) execute function note_recipient_search();
