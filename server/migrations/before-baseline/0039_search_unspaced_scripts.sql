-- Full text search needs spaces between words. Chinese, Japanese, Thai and others have none, so their pairs of characters
-- are indexed instead. pg_trgm would need an extension, and under the C locale it knows only ASCII letters.

-- Every pair of neighbouring characters of these scripts.
create function unspaced_pairs(content text) returns text[] language sql immutable parallel safe return (
  select coalesce(array_agg(distinct pair), '{}') from (
    select character || lead(character) over (order by position) as pair
    from string_to_table(left(content, 100000), null) with ordinality as characters (character, position)
  ) as pairs
  where pair ~ '^[\u0E00-\u0EFF\u0F00-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F]{2}$'
);

-- Only of finished messages that hold such characters: others cost nothing, nor does a reply while it is written.
create index chat_messages_unspaced on chat_messages using gin (unspaced_pairs(content))
  where (done or role = 'user')
    and content ~ '[\u0E00-\u0EFF\u0F00-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F]';
