-- A file that the server made for a purpose, such as a web page for a collection, until that purpose holds it. A crash in
-- between leaves a file that nobody would miss: the sweep deletes it after this time.
alter table files add column provisional_until timestamptz;
create index files_provisional on files (provisional_until) where provisional_until is not null;
