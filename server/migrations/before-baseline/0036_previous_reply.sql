-- What a finished reply said before it is generated again. A regeneration that fails puts it back.
alter table chat_messages add column previous jsonb;
