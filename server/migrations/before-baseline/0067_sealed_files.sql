-- The file of the files module that holds a copy of the sealed PDF, for the run that sent the document.
alter table signing_documents add column sealed_file_id uuid;
