-- Finds the file that a person already has of the same bytes, so that an image is stored once.
create index files_hash on files (owner_id, sha256);
