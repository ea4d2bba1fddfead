-- Until when somebody refreshes a person's tokens. A refresh token may count once only, and the server that refreshes it
-- may be slow: nothing is locked meanwhile.
alter table tool_server_tokens add column refreshing_until timestamptz;
