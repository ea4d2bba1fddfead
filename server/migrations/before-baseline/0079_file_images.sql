-- What a model gets instead of a large image: made once, with the first request that shows the image to a model.
-- Without a blob, the image itself is small enough.
create table file_images (
  file_id uuid primary key references files (id) on delete cascade,
  blob_key text,
  content_type text not null
);
