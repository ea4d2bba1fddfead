-- The key is made when the client exchanges the code. A used code is remembered until it expires: used again, it revokes the key.
alter table mcp_codes add column key_id uuid references api_keys (id) on delete cascade;
