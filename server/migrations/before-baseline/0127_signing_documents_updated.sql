-- The documents that changed last, which every open Home asks for again and again: without it, each request sorts all
-- documents of the scope.
create index signing_documents_updated on signing_documents (scope_id, kind, updated_at, id) where deleted_at is null;
