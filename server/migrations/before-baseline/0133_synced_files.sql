-- Files that the sync of a folder added: when the folder no longer has them, they are deleted, unless another collection
-- holds them. False for files that were added by hand, and for those that were synced before this was recorded.
alter table knowledge_files add column is_synced boolean not null default false;
