-- What the API key that started a run is held to; null where none was, or an unlimited one.
alter table runs add column allowed_routes text[];
